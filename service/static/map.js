// The map: an SVG of the service, moved and zoomed, with stops and hexes that can be clicked or tabbed to.

const FURTHEST = 12;

export class MapView {
  constructor(box, { onStop, onHex }) {
    this.box = box;
    this.onStop = onStop;
    this.onHex = onHex;
    this.pointers = new Map();
    this.mode = "look";
    box.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event);
    }, { passive: false });
    box.addEventListener("pointerdown", (event) => this.down(event));
    box.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) box.addEventListener(name, (event) => this.up(event));
    box.addEventListener("click", (event) => this.click(event));
    box.addEventListener("keydown", (event) => this.key(event));
  }

  // Shows a picture; keeps the view while the map (its name) is the same. Returns how each route is drawn.
  show(text, name) {
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
    const svg = document.importNode(parsed, true);
    svg.setAttribute("role", "group");
    const held = this.box.contains(document.activeElement) ? document.activeElement.dataset : {};
    this.svg = svg;
    this.box.replaceChildren(svg);
    const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    this.whole = { x, y, width, height };
    this.box.style.aspectRatio = `${width} / ${height}`;
    if (name !== this.name || !this.view) this.fit();
    else this.apply();
    this.name = name;
    this.setMode(this.mode);
    const again = held.stop ? `.stop[data-stop="${CSS.escape(held.stop)}"]` : held.hex && `.hex[data-hex="${CSS.escape(held.hex)}"]`;
    if (again) svg.querySelector(again)?.focus();
    return Array.from(svg.querySelectorAll(".routes > .route"), (route) => {
      const leg = route.querySelector(".leg");
      const stripe = [...route.querySelectorAll("path")].at(-1);
      return {
        colour: leg?.getAttribute("stroke") ?? "#888",
        stripe: stripe?.matches(".leg, .rim") ? null : stripe?.getAttribute("stroke") ?? null,
        dashes: stripe?.getAttribute("stroke-dasharray"),
      };
    });
  }

  stopsOn(hex) {
    if (!this.svg) return [];
    return Array.from(this.svg.querySelectorAll(".stop"), (one) => one.dataset.stop).filter((stop) => stop.split(".")[0] === hex);
  }

  setMode(mode) {
    this.mode = mode;
    this.box.dataset.mode = mode;
    if (!this.svg) return;
    this.enable(".stop", mode === "claim", (one) => `Stop ${one.dataset.stop}, ${one.querySelector("title")?.textContent ?? ""}`);
    this.enable(".hex", mode === "edit", (one) => `Hex ${one.dataset.hex}`);
  }

  enable(selector, on, name) {
    for (const one of this.svg.querySelectorAll(selector)) {
      if (on) {
        one.setAttribute("tabindex", "0");
        one.setAttribute("role", "button");
        one.setAttribute("aria-label", name(one));
      } else for (const key of ["tabindex", "role", "aria-label"]) one.removeAttribute(key);
    }
  }

  point(place) {
    for (const route of this.box.querySelectorAll(".routes > .route")) route.classList.toggle("shown", Number(route.dataset.route) === place);
    if (place === null) delete this.box.dataset.focus;
    else this.box.dataset.focus = String(place);
  }

  pick(hex) { for (const one of this.box.querySelectorAll(".hex")) one.classList.toggle("picked", one.dataset.hex === hex); }

  mark(stops) { for (const one of this.box.querySelectorAll(".stop")) one.classList.toggle("picked", stops.includes(one.dataset.stop)); }

  // --- view ---

  fit() {
    this.view = { ...this.whole };
    this.apply();
  }

  apply() {
    const { whole, view } = this;
    const least = whole.width / FURTHEST;
    view.width = Math.max(least, Math.min(view.width, whole.width));
    view.height = view.width * (whole.height / whole.width);
    view.x = Math.max(whole.x - view.width / 2, Math.min(view.x, whole.x + whole.width - view.width / 2));
    view.y = Math.max(whole.y - view.height / 2, Math.min(view.y, whole.y + whole.height - view.height / 2));
    this.svg?.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
  }

  // Units of the picture for a pixel.
  scale() {
    const box = this.box.getBoundingClientRect();
    return Math.max(this.view.width / box.width, this.view.height / box.height);
  }

  at(event) {
    const box = this.box.getBoundingClientRect();
    const unit = this.scale();
    return {
      x: this.view.x + this.view.width / 2 + (event.clientX - box.left - box.width / 2) * unit,
      y: this.view.y + this.view.height / 2 + (event.clientY - box.top - box.height / 2) * unit,
    };
  }

  zoom(factor, event) {
    if (!this.svg) return;
    const { view } = this;
    const centre = event ? this.at(event) : { x: view.x + view.width / 2, y: view.y + view.height / 2 };
    const width = Math.max(this.whole.width / FURTHEST, Math.min(view.width / factor, this.whole.width));
    const ratio = width / view.width;
    view.x = centre.x - (centre.x - view.x) * ratio;
    view.y = centre.y - (centre.y - view.y) * ratio;
    view.width = width;
    this.apply();
  }

  pan(dx, dy) {
    const unit = this.scale();
    this.view.x -= dx * unit;
    this.view.y -= dy * unit;
    this.apply();
  }

  down(event) {
    this.pointers.set(event.pointerId, event);
    this.dragged = this.pointers.size > 1 ? true : false;
    this.from = event;
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before || !this.svg) return;
    if (this.pointers.size === 1) {
      if (!this.dragged && Math.hypot(event.clientX - this.from.clientX, event.clientY - this.from.clientY) < 5) return;
      if (!this.dragged) this.box.setPointerCapture(event.pointerId);
      this.dragged = true;
      this.pan(event.clientX - before.clientX, event.clientY - before.clientY);
    } else {
      const other = [...this.pointers.values()].find((one) => one.pointerId !== event.pointerId);
      const gap = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY) || 1;
      this.zoom(gap(event) / gap(before), { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 });
    }
    this.pointers.set(event.pointerId, event);
  }

  up(event) { this.pointers.delete(event.pointerId); }

  click(event) {
    if (this.dragged) { this.dragged = false; return; }
    this.choose(event.target);
  }

  choose(target) {
    if (this.mode === "claim") {
      const stop = target.closest(".stop");
      if (stop) this.onStop(stop.dataset.stop);
    } else if (this.mode === "edit") {
      const hex = target.closest("[data-hex]");
      if (hex) this.onHex(hex.dataset.hex);
    }
  }

  key(event) {
    if (["Enter", " "].includes(event.key) && event.target !== this.box) {
      event.preventDefault();
      this.choose(event.target);
      return;
    }
    const steps = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (steps[event.key]) this.pan(...steps[event.key]);
    else if (event.key === "+" || event.key === "=") this.zoom(1.3);
    else if (event.key === "-") this.zoom(1 / 1.3);
    else if (event.key === "0") this.fit();
    else return;
    event.preventDefault();
  }
}
