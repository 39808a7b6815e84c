/** Codecs that are read and never written. */
import { UnsupportedError } from "../../base/errors.js";
import type { JsonObject } from "../../metadata/json.js";
import type {
  ArrayToArrayCodec,
  ArrayToBytesCodec,
  BytesToBytesCodec,
  ChunkSpec,
  CodecEntry,
} from "./codec.js";
import type { CodecForms } from "./forms.js";

type Decoder =
  | Omit<BytesToBytesCodec, "encode">
  | Omit<ArrayToArrayCodec, "encode">
  | Omit<ArrayToBytesCodec, "encode">;

/** An entry whose codecs decode. */
export interface ReadableEntry extends Omit<CodecEntry, "fromConfig" | "checkWriting"> {
  fromConfig(configuration: JsonObject, spec: ChunkSpec): Decoder;
}

/**
 * The entry of a codec that is not written: `encode` and `checkWriting` are UnsupportedErrors.
 * @param codec its name in documents
 * @param instead what is written in its place
 */
export function readOnly(codec: string, entry: ReadableEntry, instead = "zstd or gzip"): CodecEntry {
  const encode = (): never => {
    throw new UnsupportedError(`wazarr reads ${codec} and does not write it; use ${instead}`, { codec });
  };
  return {
    ...entry,
    checkWriting: encode,
    fromConfig: (configuration, spec) => ({ ...entry.fromConfig(configuration, spec), encode }),
  };
}

/** The entry of a bytes-to-bytes codec that is read and never written. @param prepare makes its decoder */
export const decoderEntry = (
  codec: string,
  forms: CodecForms,
  prepare: (configuration: JsonObject) => BytesToBytesCodec["decode"],
): CodecEntry =>
  readOnly(codec, {
    codecKind: "bytes_to_bytes",
    forms,
    fromConfig: (configuration) => ({
      kind: "bytes_to_bytes",
      synchronous: true,
      decode: prepare(configuration),
    }),
  });
