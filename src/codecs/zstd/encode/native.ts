/** zstd compression by node:zlib, from Node 22.15 on. */
import { loadBuiltin } from "../../../loading.js";

export type NativeEncode = (bytes: Uint8Array, level: number, checksum: boolean) => Uint8Array;

/** Numbers of libzstd's parameters (zstd.h). */
const COMPRESSION_LEVEL = 100;
const CHECKSUM_FLAG = 201;

/** Undefined where there is none. */
export async function loadNativeEncode(): Promise<NativeEncode | undefined> {
  const zlib = await loadBuiltin<object>("node:zlib");
  if (zlib === undefined || !("zstdCompressSync" in zlib)) return undefined;
  const { zstdCompressSync } = zlib;
  if (typeof zstdCompressSync !== "function") return undefined;
  return (bytes, level, checksum) => {
    const params = { [COMPRESSION_LEVEL]: level, [CHECKSUM_FLAG]: checksum ? 1 : 0 };
    const encoded: unknown = zstdCompressSync(bytes, { params, pledgedSrcSize: bytes.length });
    if (encoded instanceof Uint8Array) return encoded;
    throw new TypeError(`expected bytes from node:zlib, got ${typeof encoded}`);
  };
}
