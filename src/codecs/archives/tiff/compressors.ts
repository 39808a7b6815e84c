/**
 * TIFF's compressors under the names of imagecodecs (bytes -> bytes), read only: `imagecodecs_lzw` (TIFF 6.0,
 * section 13; not the codes of before TIFF 5, which begin with the lowest bit) and `imagecodecs_packbits`
 * (section 9). tifffile and virtual-tiff name them in references to TIFF files. No configuration.
 */
import {
  ALIKE,
  type BytesToBytesCodec,
  type CodecEntry,
  damagedData,
  decodeIntoOutput,
  decoderEntry,
  describeFailure,
  OUTPUT_OVERRUN,
  readNumcodecs,
} from "../../../core/for-codecs.js";
import { type Compressor, decompress, loadTiff, TABLE_LENGTH } from "./kernels.js";

/** @param expansion how many bytes one encoded byte decodes to at most */
function compressorEntry(name: Compressor, format: string, expansion: number): CodecEntry {
  const codec = `imagecodecs_${name}`;
  const decode: BytesToBytesCodec["decode"] = (bytes, context) => {
    const sizes = { estimate: 4 * bytes.length, maximum: expansion * bytes.length };
    return decodeIntoOutput(context, { codec, format, ...sizes }, (output) => {
      const result = decompress(context.kernels, name, output, bytes);
      if (result >= 0) return result;
      const { code, reason, offset } = describeFailure(result);
      if (code === OUTPUT_OVERRUN) return undefined;
      throw damagedData(codec, format, offset, reason);
    });
  };
  const entry = decoderEntry(codec, { both: ALIKE }, (configuration) => {
    readNumcodecs(codec, configuration, []);
    return decode;
  });
  return {
    ...entry,
    load: loadTiff,
    fromConfig: (configuration, spec) => ({
      ...entry.fromConfig(configuration, spec),
      scratchByteLength: TABLE_LENGTH,
    }),
  };
}

export const lzw: CodecEntry = compressorEntry("lzw", "LZW of TIFF", 4096);
export const packbits: CodecEntry = compressorEntry("packbits", "PackBits of TIFF", 64);
