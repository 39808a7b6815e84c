import type { KernelModule, PackedModule } from "./kernels.js";
import type { KernelMemory } from "./memory.js";

/** What gives a module instead of the package's inline copy. */
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

type KernelFunction = (...values: number[]) => number;

/** Exports of kernel modules take and return numbers only: the modules are this package's own. */
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
