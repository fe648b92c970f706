// The page of the playground: an editor, the output and the diagnostics. worker.js compiles.

const page = document.getElementById("compiler");

// Each word of a color class of Pygments, as in the other code on the site.
const TOKENS = [
  ["c1", /#.*/y],
  ["sd", /[rbf]{0,2}("""[^]*?("""|$)|'''[^]*?('''|$))/y],
  ["s2", /[rbf]{0,2}("(\\.|[^"\\\n])*"?|'(\\.|[^'\\\n])*'?)/y],
  ["mi", /\b\d[\w.]*/y],
  ["nd", /@[\w.]+/y],
  ["kc", /\b(True|False|None)\b/y],
  ["k", /\b(class|def|return|if|else|elif|for|in|is|not|and|or|raise|try|except|with|as|pass|lambda|import|from|assert|del)\b/y],
  ["n", /\w+/y],
];

// Return the text as nodes with colors. Places are [start, end] of wrong parts.
function colored(text, places = []) {
  const result = document.createDocumentFragment();
  const add = (part, start, kind) => {
    const wrong = places.some(([from, to]) => start < to && start + part.length > from);
    if (!kind && !wrong) return result.append(part);
    const node = document.createElement("span");
    node.className = `${kind ?? ""} ${wrong ? "wrong" : ""}`.trim();
    node.textContent = part;
    result.append(node);
  };
  let at = 0;
  while (at < text.length) {
    let [kind, part] = [undefined, text[at]];
    for (const [name, pattern] of TOKENS) {
      pattern.lastIndex = at;
      const match = pattern.exec(text);
      if (match) {
        [kind, part] = [name === "n" ? undefined : name, match[0]];
        break;
      }
    }
    add(part, at, kind);
    at += part.length;
  }
  return result;
}

// The schema is in the part of the address after "#", which browsers do not send to the server.
async function pack(module, schema) {
  const stream = new Blob([schema]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${module}:${text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}`;
}

async function unpack(packed) {
  const [module, text] = packed.split(":");
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return [module, await new Response(stream).text()];
}

function start() {
  const part = (name) => page.querySelector(`[data-part=${name}]`);
  const [editor, colors, output, report, status, example, bar] = [
    "editor", "colors", "output", "report", "status", "example", "bar",
  ].map(part);
  const worker = new Worker(new URL("worker.js", import.meta.url), {type: "module"});
  let module = example.value;
  let sent = 0;
  let generated = "";

  function paint(places) {
    // A line break at the end needs one more line, or the colors end before the text.
    colors.replaceChildren(colored(`${editor.value}\n`, places));
  }

  function compile() {
    paint();
    worker.postMessage({id: ++sent, module, schema: editor.value});
  }

  function show({output: text, diagnostics, seconds}) {
    report.replaceChildren(...diagnostics.map(diagnosticNode));
    const own = diagnostics.filter(({path}) => path === `schemas/${module}.pyi`);
    // Places count characters, not the pairs of halves of a string in JavaScript.
    const length = (count) => Array.from(editor.value).slice(0, count).join("").length;
    paint(own.map(({start, end}) => [length(start), length(Math.max(end, start + 1))]));
    output.classList.toggle("old", diagnostics.length > 0);
    if (!diagnostics.length) {
      generated = text;
      output.replaceChildren(colored(text));
    }
    const count = diagnostics.length === 1 ? "1 error" : `${diagnostics.length} errors`;
    const found = diagnostics.length ? `${count}; the output is of the last correct schema` : `generated/${module}.py`;
    status.textContent = `${found} (${Math.round(seconds * 1000)} ms)`;
    page.dataset.shown = sent;
  }

  function fail(failure) {
    status.textContent = "codegen failed. Please report this schema and the text below as a bug.";
    report.replaceChildren(Object.assign(document.createElement("pre"), {textContent: failure}));
  }

  worker.onmessage = ({data}) => {
    if (data.total) {
      bar.max = data.total;
      bar.value = data.loaded;
      const size = (bytes) => (bytes / 2 ** 20).toFixed(1);
      const loading = `Loading the compiler: ${size(data.loaded)} of ${size(data.total)} MiB`;
      status.textContent = data.loaded < data.total ? loading : "Starting the compiler";
    } else if (data.ready) {
      bar.hidden = true;
      status.textContent = "Compiling";
    } else if (data.failure) {
      fail(data.failure);
    } else if (data.id === sent) {
      show(data);
    }
  };
  worker.onerror = () => {
    bar.hidden = true;
    status.textContent = "This copy of the site has no compiler. CONTRIBUTING says how to build it.";
  };

  editor.addEventListener("input", compile);
  editor.addEventListener("scroll", () => {
    colors.scrollTop = editor.scrollTop;
    colors.scrollLeft = editor.scrollLeft;
  });
  editor.addEventListener("keydown", (event) => {
    if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    document.execCommand("insertText", false, "    ");
  });

  // Until the compiler has loaded, the output is the one that browsers without scripts show.
  function showStill() {
    generated = document.querySelector("#without-scripts > :last-child pre code").textContent;
    output.replaceChildren(colored(generated));
  }

  async function open(name) {
    module = name;
    editor.value = await (await fetch(new URL(`schemas/${name}.pyi`, import.meta.url))).text();
    editor.scrollTop = 0;
    compile();
  }
  example.addEventListener("change", () => {
    history.replaceState(null, "", location.pathname);
    open(example.value);
  });

  async function copy(button, text) {
    await navigator.clipboard.writeText(text);
    const words = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = words), 1500);
  }
  part("copy").addEventListener("click", (event) => copy(event.target, generated));
  part("share").addEventListener("click", async (event) => {
    history.replaceState(null, "", `#${await pack(module, editor.value)}`);
    await copy(event.target, location.href);
  });

  async function openAddress() {
    const [name, schema] = await unpack(location.hash.slice(1));
    module = /^\w+$/.test(name) ? name : "schema";
    editor.value = schema;
    compile();
  }
  page.hidden = false;
  document.getElementById("without-scripts").hidden = true;
  addEventListener("hashchange", () => openAddress().catch(() => {}));
  openAddress().catch(() => {
    showStill();
    open(example.value);
  });
}

// Return a diagnostic with its caret, and its page, which opens.
function diagnosticNode({code, text, page: explanation}) {
  const node = document.createElement("div");
  const frame = Object.assign(document.createElement("pre"), {textContent: text.trimEnd()});
  const details = document.createElement("details");
  const summary = Object.assign(document.createElement("summary"), {textContent: `codegen explain ${code}`});
  details.append(summary, Object.assign(document.createElement("pre"), {textContent: explanation.trim()}));
  node.append(frame, details);
  return node;
}

if (page) start();
