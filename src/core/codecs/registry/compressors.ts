/** The compressors of the core, each loaded when it is first needed. */
export const loadBlosc = async () => (await import("../blosc/blosc.js")).default;
export const loadGzip = async () => (await import("../gzip/gzip.js")).default;
export const loadZlib = async () => (await import("../gzip/gzip.js")).zlib;
export const loadZstd = async () => (await import("../zstd/zstd.js")).default;
