import { UnsupportedError } from "../errors.js";
import type { KernelModule, Kernels } from "./kernels.js";
import { createMemory } from "./memory.js";
import coreModule from "./modules/core.generated.js";
import { createWasmKernels, type LoadModule } from "./wasm.js";
import { canCompile, compileSource, instantiate, type ModuleSource, type WasmSource } from "./wasm-module.js";

/** Which implementation `loadKernels` gives. "auto" is WASM, or the TypeScript twin where WASM with SIMD cannot be had. */
export type KernelChoice = "auto" | "wasm" | "javascript";

let choice: KernelChoice = "auto";
const sources = new Map<string, ModuleSource>();
/** What has been compiled so far, for workers. */
const compiled = new Map<string, WebAssembly.Module>();
let wasm: Promise<Kernels> | undefined;
let javascript: Promise<Kernels> | undefined;

/**
 * The kernels of this thread. Compiles WebAssembly on the first call, asynchronously, once.
 *
 * @throws UnsupportedError when `setKernels("wasm")` was called and WebAssembly with SIMD is missing or forbidden, or when
 *   a source given to `setWasm` does not load
 */
export async function loadKernels(): Promise<Kernels> {
  if (choice === "javascript") return loadJavaScript();
  wasm ??= loadWasm();
  try {
    return await wasm;
  } catch (error) {
    // A source that the application supplied and that does not load is not to be hidden; it may load next time.
    const supplied = sources.has("core") && canCompile();
    if (supplied) wasm = undefined;
    if (supplied || choice === "wasm") throw error;
    return loadJavaScript();
  }
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
        // A chunk of the package that the network lost may come the next time.
        module.catch(() => modules.delete(name));
      }
      return module;
    };
    const { exports } = await loadModule("core", coreModule);
    return createWasmKernels(kernelMemory, exports, loadModule);
  } catch (cause) {
    throw new UnsupportedError(
      'expected WebAssembly with SIMD, got an engine, a Content-Security-Policy or a module that refuses it (allow "wasm-unsafe-eval", or leave the choice of kernels at "auto")',
      { cause },
    );
  }
}

/** The modules that are compiled so far, by name, to be given to workers; undefined where the kernels are the twin. */
export async function compiledModules(): Promise<[name: string, module: WebAssembly.Module][] | undefined> {
  return (await loadKernels()).name === "wasm" ? [...compiled] : undefined;
}
