/** Where WASM modules come from: the inline copy of the package, or what an application supplies; and their instances. */

import { UnsupportedError } from "../errors.js";
import type { KernelModule, PackedModule } from "./kernels.js";
import type { KernelMemory } from "./memory.js";

/** Gives a module instead of the package's inline copy. */
export type ModuleSource = () => Promise<WebAssembly.Module>;

/** @throws WebAssembly.CompileError or LinkError for a module that does not fit, and what `source` throws */
export async function instantiate(
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
  return {
    exports,
    pointer: (bytes) => (bytes.buffer === arena.bytes.buffer ? bytes.byteOffset : undefined),
  };
}

/** @throws WebAssembly.LinkError where the module has no such export */
export function exportOf({ exports }: KernelModule, name: string): KernelFunction {
  const found = exports[name];
  if (found === undefined) throw new WebAssembly.LinkError(`expected a kernel module that exports ${name}`);
  return found;
}

type KernelFunction = (...values: number[]) => number;

/** Functions of kernel modules take and return numbers only: the modules are this package's own. */
function isKernelFunction(value: unknown): value is KernelFunction {
  return typeof value === "function";
}

async function compile(packed: PackedModule): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await unpack(packed));
}

async function unpack(base64: string): Promise<BufferSource> {
  const deflated = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  if (typeof DecompressionStream === "undefined") return (await import("../fflate.js")).unzlibSync(deflated);
  const stream = new Blob([deflated]).stream().pipeThrough(new DecompressionStream("deflate"));
  // Read by hand: `new Response(stream)` makes Node load the whole of fetch (30 ms).
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  const reader = stream.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  return new Blob(chunks).arrayBuffer();
}

/** What an application may supply instead of the package's inline copy. */
export type WasmSource = string | URL | BufferSource | WebAssembly.Module;

/** @throws UnsupportedError for a URL that does not answer, WebAssembly.CompileError for bytes that are not a module */
export async function compileSource(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const isUrl = typeof source === "string" || source instanceof URL;
  return WebAssembly.compile(isUrl ? await download(source) : source);
}

/** Does not use `compileStreaming`, which insists on a MIME type that many servers do not send. */
async function download(url: string | URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok)
    throw new UnsupportedError(`expected a WebAssembly module at ${url}, got HTTP ${response.status}`);
  return response.arrayBuffer();
}

/** A module with one function, which splats a vector. */
const SIMD_PROBE = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 4, 1, 96, 0, 0, 3, 2, 1, 0, 10, 9, 1, 7, 0, 65, 0, 253, 15, 26, 11,
];

/** Whether this engine has SIMD and its Content-Security-Policy allows compiling. */
export function canCompile(): boolean {
  try {
    return new WebAssembly.Module(new Uint8Array(SIMD_PROBE)) instanceof WebAssembly.Module;
  } catch {
    return false;
  }
}
