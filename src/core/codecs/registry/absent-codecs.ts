/**
 * Names of codecs that wazarr knows and does not have: what they are, and what a reader of such an array can
 * do. Those of imagecodecs stand after "imagecodecs_"; others are proposed for v3, or of numcodecs' plugins.
 */

interface Absent {
  /** As errors call it. */
  readonly format: string;
  /** What decodes it in JavaScript, if anything does. */
  readonly decoder?: string;
  /** The Python package that reads it, besides zarr. */
  readonly python: string;
}

const of =
  (python: string) =>
  (format: string, decoder?: string): Absent => ({ format, python, ...(decoder && { decoder }) });
const imagecodecs = of("imagecodecs");

const JPEG_XL = "@jsquash/jxl, to 8 bits and with converted colours alone,";

/** Of imagecodecs 2026.3.6, by their names after "imagecodecs_". */
const OF_IMAGECODECS: Readonly<Record<string, Absent>> = {
  aec: imagecodecs("CCSDS 121"),
  apng: imagecodecs("animated PNG"),
  avif: imagecodecs("AVIF", "@jsquash/avif, to 8 bits,"),
  bfloat16: imagecodecs("bfloat16", "a loop that moves 16 bits up"),
  bitshuffle: imagecodecs("bitshuffle"),
  blosc2: imagecodecs("Blosc2"),
  bmp: imagecodecs("BMP", "createImageBitmap of browsers"),
  brotli: imagecodecs("Brotli", "brotliDecompressSync of node:zlib, or the package brotli,"),
  byteshuffle: imagecodecs("shuffled bytes"),
  ccittfax3: imagecodecs("CCITT fax, group 3"),
  ccittfax4: imagecodecs("CCITT fax, group 4"),
  ccittrle: imagecodecs("CCITT run lengths"),
  checksum: imagecodecs("a checksum"),
  cms: imagecodecs("colour management"),
  dds: imagecodecs("DDS textures"),
  dicomrle: imagecodecs("DICOM run lengths", "@cornerstonejs/dicom-image-loader"),
  eer: imagecodecs("EER of electron microscopes"),
  float24: imagecodecs("floats of 24 bits"),
  gif: imagecodecs("GIF", "createImageBitmap of browsers"),
  heif: imagecodecs("HEIF", "libheif-js, to 8 bits,"),
  jetraw: imagecodecs("Jetraw"),
  jpegls: imagecodecs("JPEG-LS", "@cornerstonejs/codec-charls"),
  jpegxl: imagecodecs("JPEG XL", JPEG_XL),
  jpegxr: imagecodecs("JPEG XR"),
  jpegxs: imagecodecs("JPEG XS"),
  ljpeg: imagecodecs("lossless JPEG", "jpeg-lossless-decoder-js"),
  lz4: imagecodecs("LZ4 blocks"),
  lz4f: imagecodecs("LZ4 frames", "lz4js"),
  lzfse: imagecodecs("LZFSE"),
  lzham: imagecodecs("LZHAM"),
  lzo: imagecodecs("LZO"),
  meshopt: imagecodecs("meshopt", "meshoptimizer"),
  pglz: imagecodecs("PGLZ of PostgreSQL"),
  pixarlog: imagecodecs("PixarLog of TIFF"),
  qoi: imagecodecs("QOI"),
  quantize: imagecodecs("rounded floats"),
  rcomp: imagecodecs("Rice compression of FITS"),
  rgbe: imagecodecs("Radiance RGBE"),
  snappy: imagecodecs("Snappy", "hysnappy"),
  sperr: imagecodecs("SPERR"),
  sz3: imagecodecs("SZ3"),
  tiff: imagecodecs("TIFF", "geotiff"),
  ultrahdr: imagecodecs("Ultra HDR"),
  xor: imagecodecs("exclusive or of neighbours"),
  zopfli: imagecodecs("zlib by Zopfli", "the codec zlib"),
};

const OTHERS: Readonly<Record<string, Absent>> = {
  blosc2: of("blosc2")("Blosc2"),
  hdf5plugin: of("hdf5plugin")("a filter of HDF5"),
  jpegxl: imagecodecs("JPEG XL, as zarr-extensions' pull request 70 proposes it", JPEG_XL),
  pickle: of("numcodecs")("pickled Python objects, which run code when they are read"),
  msgpack: of("numcodecs")("the first MessagePack codec of numcodecs"),
  szip: of("hdf5plugin")("SZIP of HDF5"),
  wavpack: of("wavpack-numcodecs")("WavPack"),
  flac: of("flac-numcodecs")("FLAC"),
  om: of("omfiles")("Open-Meteo's compression"),
};

const PREFIX = "imagecodecs_";

/** What an error says of a codec that wazarr does not have; undefined for names that it does not know. */
export function adviceFor(name: string): string | undefined {
  const known = name.startsWith(PREFIX) ? OF_IMAGECODECS[name.slice(PREFIX.length)] : OTHERS[name];
  if (known === undefined) return undefined;
  const { format, decoder, python } = known;
  const advice = `registry.set("${name}", loader) adds a decoder`;
  const inJavaScript = decoder === undefined ? `${advice} of your own` : `${decoder} decodes it: ${advice}`;
  return `it is ${format}; ${inJavaScript.replace(", decodes", " decodes")}, or convert the array with zarr-python and ${python}`;
}
