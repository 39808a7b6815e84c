/**
 * Loads the kernels of this thread. WASM modules come from the package's inline copy, or from the
 * application.
 */

import { UnsupportedError } from "../base/errors.js";
import type { WasmModule } from "../base/web-types.js";
import type { KernelModule, Kernels, PackedModule } from "./kernels.js";
import { createMemory, type KernelMemory } from "./memory.js";
import coreModule from "./modules/core.generated.js";
import { createWasmKernels, type LoadModule } from "./wasm.js";

/** Returns a module that replaces the package's inline copy. */
type ModuleSource = () => Promise<WasmModule>;

/**
 * A module that an application supplies instead of the package's inline copy: its URL, its bytes, or the
 * compiled module.
 */
export type WasmSource = string | URL | ArrayBuffer | ArrayBufferView<ArrayBuffer> | WasmModule;

/**
 * The implementation that `loadKernels` returns. "auto" is WASM, or the JavaScript fallback if WASM with SIMD
 * is not available.
 */
export type KernelChoice = "auto" | "wasm" | "javascript";

let choice: KernelChoice = "auto";
const sources = new Map<string, ModuleSource>();
/** All modules that are compiled so far, for workers. */
const compiled = new Map<string, WasmModule>();
let wasm: Promise<Kernels> | undefined;
let javascript: Promise<Kernels> | undefined;

/**
 * Returns the kernels of this thread. Compiles WebAssembly on the first call, asynchronously, once.
 *
 * @throws UnsupportedError when `setKernels("wasm")` was called and WebAssembly with SIMD is missing or
 * forbidden, or when a source given to `setWasm` does not load
 */
export async function loadKernels(): Promise<Kernels> {
  if (choice === "javascript") return loadJavaScript();
  wasm ??= loadWasm();
  try {
    return await wasm;
  } catch (error) {
    // A supplied source that does not load is an error, not a reason for the fallback; the next call tries
    // again.
    const supplied = sources.has("core") && canCompile();
    if (supplied) wasm = undefined;
    if (supplied || choice === "wasm") throw error;
    return loadJavaScript();
  }
}

/**
 * Sets the implementation of the kernels, for tests and benchmarks. Takes effect with the next `loadKernels`.
 */
export function setKernels(kernels: KernelChoice): void {
  choice = kernels;
}

/**
 * Loads a WASM module from `source` instead of the inline copy, for instance to share one compiled module
 * among workers. Call it before the module is first used.
 * @param source URL, bytes, or compiled module
 * @param moduleName "core", or the name of a codec module ("checksums", "zstd", ...)
 */
export function setWasm(source: WasmSource, moduleName = "core"): void {
  sources.set(moduleName, () => compileSource(source));
  if (moduleName === "core") wasm = undefined;
}

function loadJavaScript(): Promise<Kernels> {
  javascript ??= import("./javascript/kernels.js").then(({ createJavaScriptKernels }) =>
    createJavaScriptKernels(),
  );
  return javascript;
}

async function loadWasm(): Promise<Kernels> {
  try {
    const kernelMemory = createMemory();
    const modules = new Map<string, Promise<KernelModule>>();
    const loadModule: LoadModule = (name, packed) => {
      let module = modules.get(name);
      if (module === undefined) {
        module = instantiate(kernelMemory, sources.get(name), packed, (module) => compiled.set(name, module));
        modules.set(name, module);
        // A file of the package that failed to load over the network may load next time.
        module.catch(() => modules.delete(name));
      }
      return module;
    };
    const { exports } = await loadModule("core", coreModule);
    return createWasmKernels(kernelMemory, exports, loadModule);
  } catch (cause) {
    throw new UnsupportedError(
      'cannot start WebAssembly with SIMD; allow "wasm-unsafe-eval" in the Content-Security-Policy, or omit setKernels("wasm")',
      { cause },
    );
  }
}

/** The modules compiled so far, by name, to be sent to workers; undefined if the kernels are the fallback. */
export async function compiledModules(): Promise<[name: string, module: WasmModule][] | undefined> {
  return (await loadKernels()).name === "wasm" ? [...compiled] : undefined;
}

/** @throws WebAssembly.CompileError or LinkError for an invalid module, and errors of `source` */
async function instantiate(
  { memory, arena }: KernelMemory,
  source: ModuleSource | undefined,
  packed: PackedModule,
  compiled: (module: WebAssembly.Module) => void,
): Promise<KernelModule> {
  const module = await (source === undefined ? compile(packed) : source());
  compiled(module);
  const instance = await WebAssembly.instantiate(module, { env: { memory } });
  const exports: Record<string, KernelFunction> = {};
  for (const [name, value] of Object.entries(instance.exports)) {
    if (isKernelFunction(value)) exports[name] = value;
  }
  return { exports, pointer: arena.pointer };
}

type KernelFunction = (...values: number[]) => number;

/**
 * A type guard without a check of the signature: functions of the package's own modules take and return only
 * numbers.
 */
function isKernelFunction(value: unknown): value is KernelFunction {
  return typeof value === "function";
}

async function compile(packed: PackedModule): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await unpack(packed));
}

async function unpack(base64: string): Promise<BufferSource> {
  const deflated = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (typeof DecompressionStream === "undefined")
    return (await import("../base/fflate.js")).unzlibSync(deflated);
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  // Read in a loop: `new Response(stream)` makes Node load all of fetch (30 ms).
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return new Blob(chunks).arrayBuffer();
}

/** @throws UnsupportedError for a URL that fails, WebAssembly.CompileError for bytes that are not a module */
async function compileSource(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const isUrl = typeof source === "string" || source instanceof URL;
  return WebAssembly.compile(isUrl ? await download(source) : source);
}

/** Does not use `compileStreaming`, which requires a MIME type that many servers do not send. */
async function download(url: string | URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok)
    throw new UnsupportedError(
      `setWasm: expected a WebAssembly module at ${url}, got HTTP ${response.status}`,
    );
  return response.arrayBuffer();
}

/** A module with one function that uses a SIMD instruction (splat). */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11,
];

/** Whether this engine has SIMD, and the Content-Security-Policy allows compiling. */
function canCompile(): boolean {
  try {
    return new WebAssembly.Module(new Uint8Array(SIMD_PROBE)) instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}
