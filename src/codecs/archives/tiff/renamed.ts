/**
 * Codecs that are others under the names of imagecodecs, read only: `imagecodecs_zstd`, `imagecodecs_zlib`,
 * `imagecodecs_deflate` and `imagecodecs_zlibng` (`zlib`), `imagecodecs_bz2`, `imagecodecs_lzma`,
 * `imagecodecs_blosc`, `imagecodecs_pcodec`, `imagecodecs_zfp` (`zfpy`). zarr-python writes them, and
 * virtual-tiff and VirtualiZarr name them in references to GeoTIFF and HDF5 files. Only `raw` and `header`
 * change what a chunk is; raw deflate streams and zfp without a header are refused.
 * `{"name": "imagecodecs_deflate", "configuration": {"level": 6, "raw": false}}`
 */
import {
  ALIKE,
  type CodecEntry,
  readChoice,
  readImagecodecs,
  readOnly,
  UnsupportedError,
} from "../../../core/for-codecs.js";

/** Members that only an encoder needs. */
const SETTINGS = [
  ...["level", "check", "compressor", "shuffle", "typesize", "blocksize", "numthreads", "pagesize"],
  ...["shape", "dtype", "strides", "mode", "execution", "chunksize"],
];

/** @param original the codec of these bytes, which needs no configuration to decode them */
export function renamed(codec: string, original: CodecEntry): CodecEntry {
  return readOnly(codec, {
    ...original,
    forms: { both: ALIKE },
    fromConfig(configuration, spec) {
      readImagecodecs(codec, configuration, [...SETTINGS, "raw", "header"]);
      for (const [member, expected] of [
        ["raw", false],
        ["header", true],
      ] as const) {
        if (readChoice(codec, configuration, member, [true, false], expected) === expected) continue;
        throw new UnsupportedError(`wazarr reads ${codec} with "${member}": ${expected}, got ${!expected}`, {
          codec,
        });
      }
      return original.fromConfig({}, spec);
    },
  });
}
