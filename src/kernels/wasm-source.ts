/** Modules from elsewhere than the package, loaded when an application names such a source. */
import { UnsupportedError } from "../errors.js";

/** Where a WASM module may come from instead of the package's inline copy. */
export type WasmSource = string | URL | BufferSource | WebAssembly.Module;

/** @throws UnsupportedError for a URL that does not answer, WebAssembly.CompileError for what is no module */
export async function compileSource(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source;
  const isUrl = typeof source === "string" || source instanceof URL;
  return WebAssembly.compile(isUrl ? await download(source) : source);
}

/** Not for compileStreaming, which insists on a MIME type that many servers do not send. */
async function download(url: string | URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok)
    throw new UnsupportedError(`expected a WebAssembly module at ${url}, got HTTP ${response.status}`);
  return response.arrayBuffer();
}

/** A function that splats a vector. */
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
