// Pieces of the page. Texts are always set as text, never as markup.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== "") made.setAttribute(key, value); else if (key === "value") made.value = "";
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function put(parent, ...children) { parent.replaceChildren(...children); }

const SVG = "http://www.w3.org/2000/svg";

// The line of a route as it is drawn on the map: colour and pattern.
export function swatch(style) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", "swatch");
  svg.setAttribute("viewBox", "0 0 40 12");
  svg.setAttribute("aria-hidden", "true");
  if (!style) return svg;
  const line = (colour, width, dashes) => {
    const path = document.createElementNS(SVG, "path");
    for (const [key, value] of Object.entries({ d: "M6 6H34", stroke: colour, "stroke-width": width, "stroke-linecap": "round" })) path.setAttribute(key, value);
    if (dashes && dashes !== "none") path.setAttribute("stroke-dasharray", dashes);
    svg.append(path);
  };
  line(style.colour, 9);
  if (style.stripe) line(style.stripe, 2.4, style.dashes);
  return svg;
}

// The answer as text for a chat; stops that are not counted stand in brackets.
export function answerText(position, best) {
  const lines = [`${best.title} · ${position.operator} in phase ${position.phase} with ${position.trains.join(", ") || "no train"}`];
  for (const route of best.routes) {
    const amounts = new Map(route.parts.map((part) => [part.where, part.amount]));
    const stops = route.stops.map((stop, at) => {
      const name = [stop, route.names?.[at]].filter(Boolean).join(" ");
      return amounts.has(stop) ? `${name} ${amounts.get(stop)}` : `[${name}]`;
    });
    const own = route.parts.filter((part) => !route.stops.includes(part.where)).map((part) => ` + ${part.label} ${part.amount}`);
    lines.push(`${route.train}: ${route.revenue} = ${stops.join(" – ")}${own.join("")}`);
  }
  for (const bonus of best.bonuses) lines.push(`${bonus.label}: ${bonus.amount}, earned together`);
  lines.push(`total ${best.revenue}, ${best.proven ? "proven optimal" : `not proven, at most ${best.bound}`}`);
  return lines.join("\n");
}
