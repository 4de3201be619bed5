// Calls of the service, and positions in links.

export class Failure extends Error {
  constructor(status, faults, title) {
    super(faults.map((fault) => fault.message).join("; "));
    this.status = status;
    this.faults = faults;
    this.title = title ?? {
      401: "A token is needed", 413: "That is too large", 422: "That cannot be used", 429: "Too many questions at once",
      503: "The service is busy", 507: "The store is full",
    }[status] ?? "That did not work";
  }
}

export class Api {
  get token() { return sessionStorage.getItem("token") ?? ""; }

  set token(value) { sessionStorage.setItem("token", value); }

  async call(path, options = {}) {
    const headers = { ...options.headers };
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    if (options.body !== undefined) headers["Content-Type"] = "application/json";
    let response;
    try {
      response = await fetch(`api/${path}`, { ...options, headers });
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Failure(0, [{ message: "The service does not answer. Is “trackage serve” still running?", where: "" }]);
    }
    if (response.ok) return response;
    let faults;
    try { ({ error: { faults } } = await response.json()); } catch { faults = [{ message: `Status ${response.status}`, where: "" }]; }
    throw new Failure(response.status, faults);
  }

  async get(path) { return (await this.call(path)).json(); }

  async post(path, body) { return (await this.call(path, { method: "POST", body })).json(); }

  async remove(path) { await this.call(path, { method: "DELETE" }); }

  // Pairs of "progress" or "answer" and the value, as they come.
  async* stream(path, question, signal) {
    const options = question === null ? { signal } : { method: "POST", body: JSON.stringify(question), signal };
    const response = await this.call(`${path}?stream=true`, options);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += value;
      const lines = text.split("\n");
      text = lines.pop();
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.error) throw new Failure(message.error.status, message.error.faults);
        yield message.progress ? ["progress", message.progress] : ["answer", message.answer];
      }
    }
  }
}

// --- links: #z= is deflated, #j= plain; both base64 for addresses ------------------------------------------------------

const LONGEST = 200_000;

async function through(stream, bytes, most = Infinity) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > most) throw new Error("too large");
    chunks.push(value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

export async function linkOf(position) {
  const bytes = new TextEncoder().encode(JSON.stringify(position));
  const packed = "CompressionStream" in window ? await through(new CompressionStream("deflate-raw"), bytes) : bytes;
  const text = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(""));
  return `#${packed === bytes ? "j" : "z"}=${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

export async function positionOf(hash) {
  const match = /^#([zj])=([\w-]+)$/.exec(hash);
  if (!match || hash.length > LONGEST) return null;
  let bytes = Uint8Array.from(atob(match[2].replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
  if (match[1] === "z") bytes = await through(new DecompressionStream("deflate-raw"), bytes, 4 * LONGEST);
  return JSON.parse(new TextDecoder().decode(bytes));
}
