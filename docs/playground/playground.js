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

// Longer texts have no colors: a browser would need seconds for each keystroke.
const COLORED_MAX = 200_000;
// What the compiler accepts. A link of some kilobytes can unpack to gigabytes.
const SCHEMA_BYTES_MAX = 2 ** 20;

// Return the text as nodes with colors. Places are [start, end] of wrong parts.
function colored(text, places = []) {
  const result = document.createDocumentFragment();
  if (text.length > COLORED_MAX) {
    result.append(text);
    return result;
  }
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
  const decoder = new TextDecoder();
  let [schema, size] = ["", 0];
  for (const reader = stream.getReader(); ; ) {
    const {done, value} = await reader.read();
    if (done) return [module, schema + decoder.decode()];
    size += value.byteLength;
    if (size > SCHEMA_BYTES_MAX) {
      await reader.cancel();
      throw new RangeError("the schema in the link is too large");
    }
    schema += decoder.decode(value, {stream: true});
  }
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
  let notice = "";
  let opened = 0;
  let leaving = false;
  let failed = false;

  function paint(places) {
    // A line break at the end needs one more line, or the colors end before the text.
    colors.replaceChildren(colored(`${editor.value}\n`, places));
  }

  function compile() {
    paint();
    const id = ++sent;
    worker.postMessage({id, module, schema: editor.value});
    setTimeout(() => {
      if (id === sent && !failed && bar.hidden && page.dataset.shown !== String(id)) status.textContent = `${notice}Compiling`;
    }, 1000);
  }

  function show({output: text, diagnostics, seconds}) {
    report.replaceChildren(...diagnostics.map(diagnosticNode));
    const own = diagnostics.filter(({path}) => path === `schemas/${module}.pyi`);
    // Places count characters, not the pairs of halves of a string in JavaScript.
    const characters = Array.from(editor.value.length > COLORED_MAX ? "" : editor.value);
    const lengths = [0];
    for (const character of characters) lengths.push(lengths.at(-1) + character.length);
    const length = (count) => lengths[count] ?? lengths.at(-1) + count - characters.length;
    paint(own.map(({start, end}) => [length(start), length(Math.max(end, start + 1))]));
    output.classList.toggle("old", diagnostics.length > 0);
    if (!diagnostics.length) {
      generated = text;
      output.replaceChildren(colored(text));
    }
    const count = diagnostics.length === 1 ? "1 error" : `${diagnostics.length} errors`;
    const about = generated ? `${count}; the output is of the last correct schema` : count;
    const found = diagnostics.length ? about : `generated/${module}.py`;
    status.textContent = `${notice}${found} (${Math.round(seconds * 1000)} ms)`;
    page.dataset.shown = sent;
  }

  function fail(failure, words) {
    failed = true;
    bar.hidden = true;
    status.textContent = words;
    report.replaceChildren(Object.assign(document.createElement("pre"), {textContent: failure}));
  }

  worker.onmessage = ({data}) => {
    if (data.total && failed) {
      return;
    } else if (data.total) {
      bar.max = data.total;
      bar.value = data.loaded;
      const size = (bytes) => (bytes / 2 ** 20).toFixed(1);
      const loading = `Loading the compiler: ${size(data.loaded)} of ${size(data.total)} MiB`;
      status.textContent = data.loaded < data.total ? loading : "Starting the compiler";
    } else if (data.ready) {
      bar.hidden = true;
      status.textContent = sent ? "Compiling" : notice;
    } else if (data.failure) {
      const bug = "codegen failed. Please report this schema and the text below as a bug.";
      fail(data.failure, data.id ? bug : "The compiler could not be loaded. Reload the page to try again.");
    } else if (data.id === sent) {
      failed = false;
      show(data);
    }
  };
  worker.onerror = () => {
    fail("", "The compiler could not be loaded, or this copy of the site has none.");
  };

  editor.addEventListener("input", () => {
    opened++;
    notice = "";
    compile();
  });
  editor.addEventListener("scroll", () => {
    // Without the scroll bars of the editor, the colors would end too early.
    colors.style.width = `${editor.clientWidth}px`;
    colors.style.height = `${editor.clientHeight}px`;
    colors.scrollTop = editor.scrollTop;
    colors.scrollLeft = editor.scrollLeft;
  });
  editor.addEventListener("keydown", (event) => {
    // Tab indents. Escape and then Tab goes on to the next element.
    const isLeaving = leaving;
    leaving = event.key === "Escape";
    if (event.key !== "Tab" || event.shiftKey || event.ctrlKey || event.altKey || isLeaving) return;
    event.preventDefault();
    document.execCommand("insertText", false, "    ");
  });

  // Until the compiler has loaded, the output is the one that browsers without scripts show.
  function showStill() {
    generated = document.querySelector("#without-scripts > :last-child pre code").textContent;
    output.replaceChildren(colored(generated));
  }

  async function open(name) {
    const turn = ++opened;
    const response = await fetch(new URL(`schemas/${name}.pyi`, import.meta.url)).catch(() => null);
    const schema = response?.ok ? await response.text().catch(() => null) : null;
    // Another schema was opened or typed in the meantime.
    if (turn !== opened) return;
    if (schema === null) {
      notice = "The example could not be loaded. ";
      status.textContent = notice;
      return;
    }
    module = name;
    editor.value = schema;
    editor.scrollTop = 0;
    compile();
  }
  example.addEventListener("change", () => {
    history.replaceState(null, "", location.pathname);
    notice = "";
    open(example.value);
  });

  async function copy(button, makeText) {
    const words = (button.dataset.words ??= button.textContent);
    try {
      await navigator.clipboard.writeText(await makeText());
      button.textContent = "Copied";
    } catch {
      // The page is not from a secure address, or the user or an old browser refuses.
      button.textContent = "The browser did not allow it";
    }
    setTimeout(() => (button.textContent = words), 1500);
  }
  part("copy").addEventListener("click", ({target}) => copy(target, () => generated));
  part("share").addEventListener("click", ({target}) =>
    copy(target, async () => {
      history.replaceState(null, "", `#${await pack(module, editor.value)}`);
      return location.href;
    }),
  );

  async function openAddress() {
    const turn = ++opened;
    const [name, schema] = await unpack(location.hash.slice(1));
    if (turn !== opened) return;
    module = /^[A-Za-z]\w{0,63}$/.test(name) ? name : "schema";
    notice = "";
    // None of the examples: each of them can be chosen.
    example.selectedIndex = -1;
    editor.value = schema;
    compile();
  }
  // Other addresses lead to a heading.
  const describeLink = () => (location.hash.includes(":") ? "The link is damaged or too long. " : "");
  page.hidden = false;
  document.getElementById("without-scripts").hidden = true;
  addEventListener("hashchange", () =>
    openAddress().catch(() => {
      notice = describeLink();
      if (notice) status.textContent = notice;
    }),
  );
  openAddress().catch(() => {
    notice = describeLink();
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
