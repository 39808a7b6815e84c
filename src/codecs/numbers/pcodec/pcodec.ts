/**
 * `pcodec` (numcodecs, zarrs), array -> bytes, read only: pcodec's standalone format
 * (https://github.com/pcodec/pcodec, docs/format.md), in versions 0 to 4.1: what pcodec 1.1 writes, and all
 * before it. In v2 it is a filter or the compressor. Integers of 8 to 64 bits and floats of 16 to 64; times
 * are stored as their ticks, complex numbers as two floats each, as zarrs stores them. All settings are for
 * writing, and have no effect.
 * `{"name": "numcodecs.pcodec", "configuration": {"level": 8, "mode_spec": "auto", "delta_spec": "auto"}}`
 */
import {
  type ArrayToBytesCodec,
  type CodecEntry,
  product,
  readNumcodecs,
  readOnly,
  UnsupportedError,
} from "../../../core/for-codecs.js";
import { decodeNumbers } from "./decode.js";
import { loadPcodec } from "./kernels.js";
import { numberTypeOf } from "./number-types.js";

const CODEC = "pcodec";

/** Tables of the entropy decoder, and the window of lookbacks. */
const TABLES_LENGTH = 2 ** 20;

const pcodec: CodecEntry = readOnly(CODEC, {
  codecKind: "array_to_bytes",
  forms: { only: "numcodecs" },
  load: loadPcodec,
  fromConfig(configuration, { dataType, shape }): ArrayToBytesCodec {
    readNumcodecs(CODEC, configuration, [
      "level",
      "mode_spec",
      "delta_spec",
      "paging_spec",
      "delta_encoding_order",
      "equal_pages_up_to",
    ]);
    const type = numberTypeOf(dataType);
    if (type === undefined) {
      throw new UnsupportedError(`${CODEC} compresses integers and floats, got data type ${dataType.name}`, {
        codec: CODEC,
      });
    }
    const byteLength = product(shape) * dataType.itemSize;
    return {
      kind: "array_to_bytes",
      scratchByteLength: byteLength + TABLES_LENGTH,
      decode: (bytes, { kernels }) => decodeNumbers(bytes, kernels, type, (8 * byteLength) / type.width),
    };
  },
});

export default pcodec;
