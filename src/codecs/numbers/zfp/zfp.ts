/**
 * zfp (https://zfp.io), array -> bytes, read only, all modes: integers and floats of 32 and 64 bits; others
 * as zarrs stores them. `zfp` (https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zfp) has
 * the mode in its configuration, and one to four dimensions. `zfpy` of numcodecs, in v2 a filter or the
 * compressor, has a header, and nothing of its configuration is needed.
 * `{"name": "zfp", "configuration": {"mode": "fixed_accuracy", "tolerance": 0.05}}`
 * `{"id": "zfpy", "mode": 4, "tolerance": 0.05, "rate": -1, "precision": -1}`
 */
import {
  type ArrayToBytesCodec,
  type ChunkSpec,
  type CodecEntry,
  damagedData,
  describeFailure,
  type Kernels,
  product,
  readNumcodecs,
  readOnly,
  UnsupportedError,
} from "../../../core/for-codecs.js";
import type { ZfpArray } from "./array.js";
import { damaged, readHeader } from "./header.js";
import { decodeArray, loadZfp, SCRATCH_LENGTH } from "./kernels.js";
import { readLimits } from "./limits.js";
import { type NumberType, numberTypeOf } from "./number-types.js";

function numbersOf(codec: string, { dataType }: ChunkSpec): NumberType {
  const type = numberTypeOf(dataType);
  if (type !== undefined) return type;
  const message = `${codec} compresses integers and floats of 32 and 64 bits, got data type ${dataType.name}`;
  throw new UnsupportedError(message, { codec });
}

/** @param arrayOf what the bytes of a chunk are */
function decoderOf(
  codec: string,
  { shape, dataType }: ChunkSpec,
  { stored, narrow }: NumberType,
  arrayOf: (bytes: Uint8Array) => ZfpArray,
): ArrayToBytesCodec {
  const count = product(shape);
  const storedLength = (count * stored.width) / 8;
  const decode = (bytes: Uint8Array, kernels: Kernels): Uint8Array => {
    const array = arrayOf(bytes);
    const elements = kernels.allocate(count * dataType.itemSize);
    const mark = kernels.mark();
    const target = narrow === undefined ? elements : kernels.allocate(storedLength);
    const result = decodeArray(kernels, target, bytes, array);
    if (result < 0) {
      const { reason, offset } = describeFailure(result);
      throw damagedData(codec, "data of zfp", offset, reason);
    }
    narrow?.(elements, target);
    kernels.release(mark);
    return elements;
  };
  return {
    kind: "array_to_bytes",
    // The encoded bytes, too, which may be somewhat more.
    scratchByteLength: 2 * storedLength + SCRATCH_LENGTH + (narrow === undefined ? 0 : storedLength),
    decode: (bytes, { kernels }) => decode(bytes, kernels),
  };
}

export const zfp: CodecEntry = readOnly("zfp", {
  codecKind: "array_to_bytes",
  forms: { only: "v3" },
  load: loadZfp,
  fromConfig(configuration, spec) {
    const numbers = numbersOf("zfp", spec);
    // An array without dimensions is a row of one value.
    const shape = spec.shape.length === 0 ? [1] : spec.shape;
    if (shape.length > 4) {
      throw new UnsupportedError(
        `zfp compresses chunks of at most four dimensions, got ${shape.length}; put zarrs.squeeze or reshape before it`,
        { codec: "zfp" },
      );
    }
    const limits = readLimits("zfp", configuration, numbers.stored, shape.length);
    const array: ZfpArray = { type: numbers.stored, shape, limits, start: 0 };
    return decoderOf("zfp", spec, numbers, () => array);
  },
});

export const zfpy: CodecEntry = readOnly("zfpy", {
  codecKind: "array_to_bytes",
  forms: { only: "numcodecs" },
  load: loadZfp,
  fromConfig(configuration, spec) {
    readNumcodecs("zfpy", configuration, ["mode", "tolerance", "rate", "precision", "compression_kwargs"]);
    const numbers = numbersOf("zfpy", spec);
    const count = product(spec.shape);
    return decoderOf("zfpy", spec, numbers, (bytes) => {
      const array = readHeader(bytes);
      if (array.type === numbers.stored && product(array.shape) === count) return array;
      throw damaged(
        4,
        `expected ${count} ${numbers.stored.name}, got [${array.shape.join(", ")}] ${array.type.name}`,
      );
    });
  },
});
