/** What writes gzip and zlib, once it is loaded: not before something is to be written. */
type DeflateEncoder = Pick<typeof import("./encode.js"), "encodeGzip" | "encodeZlib">;

let encoder: DeflateEncoder | undefined;

/** For `loadBeforeWriting`. */
export async function loadDeflateEncoder(): Promise<void> {
  if (encoder !== undefined) return;
  const module = await import("./encode.js");
  await module.loadDeflate();
  encoder = module;
}

export function deflateEncoder(): DeflateEncoder {
  if (encoder === undefined) throw new TypeError("expected loadForWriting() to have been awaited");
  return encoder;
}
