/**
 * numcodecs' `shuffle` (bytes -> bytes): the first byte of all elements, then their second byte, and so on.
 * https://numcodecs.readthedocs.io/en/stable/filter/shuffle.html `{"id": "shuffle", "elementsize": 4}`;
 * elementsize defaults to the data type's; 0 and 1 leave the bytes unchanged.
 */
import { CodecError } from "../../../base/errors.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { BytesToBytesCodec, CodecEntry } from "../codec.js";
import { readConfiguration, readInteger } from "../configuration.js";
import { bloscEncoder, bloscKernels, bloscOperand, loadBloscKernels } from "./kernels.js";

const CODEC = "shuffle";

const shuffle: CodecEntry = {
  codecKind: "bytes_to_bytes",
  forms: {
    only: "numcodecs",
    // Always stated: numcodecs assumes 4 for elements of any size.
    defaults: (itemSize) => ({ elementsize: Math.max(1, itemSize) }),
  },
  load: loadBloscKernels,
  fromConfig(configuration, spec): BytesToBytesCodec {
    readConfiguration(CODEC, configuration, ["elementsize"]);
    const elementsize = readInteger(CODEC, configuration, "elementsize", {
      minimum: 0,
      maximum: 2 ** 31 - 1,
      absent: spec.dataType.itemSize,
    });
    return {
      kind: "bytes_to_bytes",
      synchronous: true,
      decode: (bytes, { kernels }) =>
        run(bytes, elementsize, kernels, (target) =>
          bloscKernels(kernels).unshuffle(target, bloscOperand(kernels, bytes), elementsize),
        ),
      encode: (bytes, { kernels }) =>
        run(bytes, elementsize, kernels, (target) => {
          const { bloscEncoders, encodeOperand } = bloscEncoder.get();
          const source = encodeOperand(kernels, bytes);
          bloscEncoders(kernels, target, source).shuffle(target, source, elementsize);
        }),
      encodedByteLength: (byteLength) => byteLength,
    };
  },
};
export default shuffle;

function run(
  bytes: Uint8Array,
  elementsize: number,
  kernels: Kernels,
  direction: (target: Uint8Array) => void,
): Uint8Array {
  if (elementsize <= 1) return bytes;
  if (bytes.length % elementsize !== 0) {
    throw new CodecError(`expected a multiple of ${elementsize} bytes, got ${bytes.length}`, {
      codec: CODEC,
    });
  }
  const target = kernels.allocate(bytes.length);
  const mark = kernels.mark();
  direction(target);
  kernels.release(mark);
  return target;
}
