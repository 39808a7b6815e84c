/**
 * `ChunkyCodec` of virtual-tiff (array -> bytes), read only: the samples of a pixel beside each other. It is
 * `bytes` with the first dimension fastest, as numpy's order F; virtual-tiff puts a `transpose` before it,
 * that turns the dimensions after the first. Without `endian` elements are little-endian.
 * `{"name": "ChunkyCodec", "configuration": {"endian": "little"}}`
 */
import {
  type CodecEntry,
  CodecError,
  cOrderStrides,
  planCopy,
  product,
  type ReadableEntry,
  readChoice,
  readConfiguration,
  readOnly,
  UnsupportedError,
} from "../../../core/for-codecs.js";

const CODEC = "ChunkyCodec";

const decoder: ReadableEntry = {
  codecKind: "array_to_bytes",
  forms: { only: "v3" },
  fromConfig(configuration, { shape, dataType }) {
    readConfiguration(CODEC, configuration, ["endian"]);
    const endian = readChoice(CODEC, configuration, "endian", ["little", "big"], "little");
    const { itemSize, swapUnit, swapRuns } = dataType;
    if (itemSize === 0 || swapRuns !== undefined) {
      const message = `${CODEC} needs numbers of a fixed size, got data type ${dataType.name}`;
      throw new UnsupportedError(message, { codec: CODEC });
    }
    const byteLength = product(shape) * itemSize;
    const plan = planCopy({
      shape,
      targetStrides: cOrderStrides(shape, itemSize),
      sourceStrides: cOrderStrides(shape.toReversed(), itemSize).reverse(),
      width: itemSize,
      swapUnit: endian === "big" ? swapUnit : 1,
    });
    return {
      kind: "array_to_bytes",
      encodedByteLength: byteLength,
      scratchByteLength: byteLength,
      decode(bytes, { kernels }) {
        if (bytes.length !== byteLength) {
          throw new CodecError(`expected ${byteLength} bytes of elements, got ${bytes.length}`, {
            codec: CODEC,
          });
        }
        const elements = kernels.allocate(byteLength);
        kernels.copy(plan, elements, 0, bytes, 0);
        return elements;
      },
    };
  },
};

export const chunky: CodecEntry = readOnly(CODEC, decoder, "transpose and bytes");
