/**
 * numcodecs' `packbits` (array -> array of uint8): booleans as bits, the first element in the most significant bit, behind one byte that
 * says how many bits of the last byte are padding.
 * https://numcodecs.readthedocs.io/en/stable/filter/packbits.html
 * Also `numcodecs.packbits`. Not the `packbits` of zarr-extensions (packbits.ts), whose bits run the other way. No configuration.
 * `{"id": "packbits"}`
 */

import { uint8 } from "../data-types/integer.js";
import { CodecError } from "../errors.js";
import { type Elements, loadElements } from "../kernels/elements.js";
import type { Kernels } from "../kernels/kernels.js";
import { product } from "../shape.js";
import type { ArrayToArrayCodec, CodecEntry } from "./codec.js";
import { readNumcodecs } from "./configuration.js";
import { numbersOf } from "./filters/numcodecs-configuration.js";

const CODEC = "packbits";
const loaded = new WeakMap<Kernels, Elements>();

const entry: CodecEntry = {
  kind: "array_to_array",
  async load(kernels) {
    loaded.set(kernels, await loadElements(kernels));
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, []);
    numbersOf(CODEC, spec.dataType, ["boolean"]);
    const elements = product(spec.shape);
    const padding = (8 - (elements % 8)) % 8;
    return {
      kind: "array_to_array",
      encoded: { shape: [1 + Math.ceil(elements / 8)], dataType: uint8, fillValue: 0 },
      decode(bytes, { kernels }) {
        if (bytes[0] !== padding) {
          throw new CodecError(
            `expected ${padding} bits of padding behind ${elements} elements, got ${bytes[0]}`,
            { codec: CODEC, offset: 0 },
          );
        }
        const target = kernels.allocate(elements);
        kernelsOf(kernels).unpackBits(target, bytes.subarray(1), 1, true);
        return target;
      },
      encode(source, { kernels }) {
        const target = kernels.allocate(1 + Math.ceil(elements / 8));
        const booleans = kernels.allocate(elements);
        const { normaliseBooleans, packBits } = kernelsOf(kernels);
        normaliseBooleans(booleans, source);
        packBits(target.subarray(1), booleans, 1, true);
        target[0] = padding;
        return target;
      },
    };
  },
};
export default entry;

function kernelsOf(kernels: Kernels): Elements {
  const elements = loaded.get(kernels);
  if (elements === undefined) throw new CodecError("used before it was loaded", { codec: CODEC });
  return elements;
}
