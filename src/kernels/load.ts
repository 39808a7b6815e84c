import { UnsupportedError } from "../errors.js";
import type { KernelModule, Kernels } from "./kernels.js";
import { createMemory, type KernelMemory } from "./memory.js";
import core from "./modules/core.generated.js";
import { createWasmKernels } from "./wasm.js";

/** Which implementation `loadKernels` gives. "auto" is WASM, or the TypeScript twin where WASM with SIMD cannot be had. */
export type KernelChoice = "auto" | "wasm" | "javascript";

/** Where a WASM module may come from instead of the package's inline copy. */
export type WasmSource = string | URL | BufferSource | WebAssembly.Module;

let choice: KernelChoice = "auto";
const sources = new Map<string, WasmSource>();
let wasm: Promise<Kernels> | undefined;
let javascript: Promise<Kernels> | undefined;

/**
 * The kernels of this thread. Compiles WebAssembly on the first call, asynchronously, once.
 *
 * @throws UnsupportedError when `setKernels("wasm")` was called and WebAssembly with SIMD is missing or forbidden
 */
export function loadKernels(): Promise<Kernels> {
  if (choice === "javascript") return loadJavaScript();
  wasm ??= loadWasm();
  if (choice === "wasm") return wasm;
  return wasm.catch((error: unknown) => {
    // A source that the application supplied and that does not load is its mistake to hear about, not one to hide.
    if (sources.has("core") && canCompile()) throw error;
    return loadJavaScript();
  });
}

/** Sets the implementation, for tests and benchmarks. Takes effect with the next `loadKernels`. */
export function setKernels(kernels: KernelChoice): void {
  choice = kernels;
}

/**
 * Loads a WASM module from a URL, from bytes or from a compiled module instead of the inline copy, for instance
 * to share one compiled module among workers. To be called before the module is first used.
 *
 * @param moduleName "core", or the name of a codec module ("checksums", "zstd", ...)
 */
export function setWasm(source: WasmSource, moduleName = "core"): void {
  sources.set(moduleName, source);
  if (moduleName === "core") wasm = undefined;
}

function loadJavaScript(): Promise<Kernels> {
  javascript ??= import("./javascript.js").then(({ createJavaScriptKernels }) => createJavaScriptKernels());
  return javascript;
}

async function loadWasm(): Promise<Kernels> {
  try {
    const kernelMemory = createMemory();
    const modules = new Map<string, Promise<KernelModule>>();
    const { exports } = await instantiate("core", kernelMemory, async () => ({ default: core }));
    return createWasmKernels(kernelMemory, exports, (name, base64) => {
      let module = modules.get(name);
      if (module === undefined) {
        module = instantiate(name, kernelMemory, base64);
        modules.set(name, module);
      }
      return module;
    });
  } catch (cause) {
    throw new UnsupportedError(
      'expected WebAssembly with SIMD, got an engine or a Content-Security-Policy that refuses it (allow "wasm-unsafe-eval", or leave the choice of kernels at "auto")',
      { cause },
    );
  }
}

async function instantiate(
  name: string,
  { memory, arena }: KernelMemory,
  base64: () => Promise<{ readonly default: string }>,
): Promise<KernelModule> {
  const module = await compile(sources.get(name) ?? (await unpack((await base64()).default)));
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  const exports: Record<string, KernelFunction> = {};
  for (const [exported, value] of Object.entries(instance.exports)) {
    if (isKernelFunction(value)) exports[exported] = value;
  }
  return {
    exports,
    pointer: (bytes) => (bytes.buffer === arena.bytes.buffer ? bytes.byteOffset : undefined),
  };
}

type KernelFunction = (...values: number[]) => number;

/** Exports of kernel modules take and return numbers only: the modules are this package's own. */
function isKernelFunction(value: unknown): value is KernelFunction {
  return typeof value === "function";
}

async function compile(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  if (typeof source !== "string" && !(source instanceof URL)) return WebAssembly.compile(source);
  const response = await fetch(source);
  if (!response.ok)
    throw new UnsupportedError(`expected a WebAssembly module at ${source}, got HTTP ${response.status}`);
  // Not compileStreaming: that insists on a MIME type which many servers do not send.
  return WebAssembly.compile(await response.arrayBuffer());
}

/** The bytes of a generated module: deflated, then base64. */
async function unpack(base64: string): Promise<BufferSource> {
  const deflated = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (typeof DecompressionStream === "undefined") return (await import("fflate")).unzlibSync(deflated);
  // Not through Response, which makes Node load the whole of fetch (30 ms).
  const stream = new DecompressionStream("deflate");
  const writer = stream.writable.getWriter();
  const written = writer.write(deflated).then(() => writer.close());
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.readable.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  await written;
  return new Blob(chunks).arrayBuffer();
}

/** An empty module: refused by a Content-Security-Policy, accepted everywhere else. */
function canCompile(): boolean {
  try {
    return (
      new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])) instanceof WebAssembly.Module
    );
  } catch {
    return false;
  }
}
