// Load Pyodide and the compiler, then compile the schemas that the page sends, the newest first.
//
//   <- {loaded: 3145728, total: 13631488}    while files arrive
//   <- {ready: true}
//   -> {id: 7, module: "plate", schema: "..."}
//   <- {id: 7, output: "...", diagnostics: [...], seconds: 0.03}    or {id: 7, failure: "..."}
import {loadPyodide} from "./pyodide/pyodide.mjs";

let compile;
let waiting;

const fail = (error) => postMessage({failure: String(error.message)});

// Pyodide fetches its files itself, so the bytes are counted as they pass.
function countBytes(total) {
  const fetchFile = self.fetch.bind(self);
  let loaded = 0;
  self.fetch = async (...request) => {
    const response = await fetchFile(...request);
    const counter = new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        postMessage({loaded: Math.min(loaded, total), total});
        controller.enqueue(chunk);
      },
    });
    // Pyodide would wait for ever if its WebAssembly did not arrive.
    if (!response.ok) fail(new Error(`${response.url}: ${response.status} ${response.statusText}`));
    if (!response.ok || !response.body) return response;
    response.body.pipeTo(counter.writable).catch(fail);
    const {status, headers} = response;
    return new Response(counter.readable, {status, headers});
  };
}

async function get(name) {
  const response = await fetch(new URL(name, import.meta.url));
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return response;
}

async function load() {
  const {total} = await (await get("sizes.json")).json();
  countBytes(total);
  const archive = get("compiler.zip").then((file) => file.arrayBuffer());
  const pyodide = await loadPyodide();
  pyodide.unpackArchive(await archive, "zip", {extractDir: "/compiler"});
  pyodide.runPython("import sys; sys.path.insert(0, '/compiler')");
  compile = pyodide.pyimport("compiling").compile;
  postMessage({ready: true});
  answer();
}

// A schema that was replaced while another one was compiled is not compiled.
function answer() {
  if (!compile || !waiting) return;
  const {id, module, schema} = waiting;
  waiting = undefined;
  try {
    postMessage({id, ...JSON.parse(compile(module, schema))});
  } catch (error) {
    postMessage({id, failure: error.message});
  }
}

onmessage = ({data}) => {
  waiting = data;
  setTimeout(answer);
};
load().catch(fail);
