/**
 * Compressors of TIFF that are other codecs under the names of imagecodecs, read only: `imagecodecs_zstd`
 * (`zstd`), `imagecodecs_zlib` and `imagecodecs_deflate` (`zlib`). virtual-tiff names them in references to
 * GeoTIFF files. `{"name": "imagecodecs_deflate", "configuration": {"level": 6, "raw": false}}`
 */
import { UnsupportedError } from "../../errors.js";
import type { CodecEntry } from "../codec.js";
import { readChoice, readNumcodecs } from "../configuration.js";
import { ALIKE } from "../forms.js";

/** @param original the codec of these bytes, which needs no configuration to decode them */
export function renamed(codec: string, original: CodecEntry): CodecEntry {
  const refuse = (): never => {
    throw new UnsupportedError(`wazarr reads ${codec} and does not write it; use zstd or gzip`, { codec });
  };
  return {
    ...original,
    forms: { both: ALIKE },
    checkWriting: refuse,
    fromConfig(configuration, spec) {
      readNumcodecs(codec, configuration, ["level", "raw"]);
      if (readChoice(codec, configuration, "raw", [true, false], false))
        throw new UnsupportedError("wazarr does not read raw deflate streams", { codec });
      return { ...original.fromConfig({}, spec), encode: refuse };
    },
  };
}
