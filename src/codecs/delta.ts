/**
 * numcodecs' `delta` (array -> array): the difference of each element from the one before it, in C order; the first element as it is.
 * https://numcodecs.readthedocs.io/en/stable/filter/delta.html
 * `dtype` is the type the differences are made in, `astype` the one they are stored as (`dtype` unless given), as numpy spells them.
 * Also `numcodecs.delta`. Integers wrap, so that any difference can be undone. Deviations: integers that `astype` cannot give back are
 * refused on writing (numcodecs stores others), and so are dtypes that numpy cannot restore or that are not numbers (bool, dates).
 * `{"id": "delta", "dtype": "<i4", "astype": "<i2"}`
 */

import { UnsupportedError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "./codec.js";
import { readNumcodecs } from "./configuration.js";
import { checkRestored, convert, convertInto, refuse } from "./filters/convert.js";
import { deltaDecodeHalf, deltaEncodeHalf } from "./filters/delta-half.js";
import { encodedFill } from "./filters/encoded-fill.js";
import { loadFilters, runFilter } from "./filters/kernels.js";
import { aligned, type FloatType, type IntegerType } from "./filters/number-type.js";
import { numbersOf, readDtype } from "./filters/numcodecs-configuration.js";
import { restate } from "./filters/restate.js";
import { deltaTwins } from "./filters/twins/delta.js";

const CODEC = "delta";

const entry: CodecEntry = {
  kind: "array_to_array",
  async load(kernels) {
    await loadFilters(kernels);
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["dtype", "astype"]);
    const stated = readDtype(CODEC, configuration, "dtype");
    const encodedAs = readDtype(CODEC, configuration, "astype", stated);
    const type = numbersOf(CODEC, stated.dataType, ["integer", "float"]);
    const encodedType = numbersOf(CODEC, encodedAs.dataType, ["integer", "float"]);
    const { shape, fill, enter, leave } = restate(CODEC, spec, stated);
    const cast = (target: Uint8Array, source: Uint8Array): void =>
      convertInto(target, encodedType, source, type, refuse(CODEC, encodedType));
    const encoded: ChunkSpec = {
      ...encodedAs,
      shape,
      fillValue: encodedFill(encodedAs.dataType, fill, cast),
    };
    const restore = (elements: Uint8Array, kernels: Kernels): Uint8Array => {
      const differences = convert(
        kernels,
        aligned(elements, encodedType.itemSize),
        encodedType,
        type,
        refuse(CODEC, type),
      );
      return run(kernels, "Decode", type, differences);
    };
    return {
      kind: "array_to_array",
      encoded,
      decode: (elements, { kernels }) => leave(restore(elements, kernels), kernels),
      encode(elements, { kernels }) {
        const source = enter(elements, kernels);
        const differences = run(kernels, "Encode", type, source);
        const stored = convert(kernels, differences, type, encodedType, refuse(CODEC, encodedType));
        if (stored !== differences && type.kind === "integer") {
          checkRestored(CODEC, source, restore(stored, kernels), type);
        }
        return stored;
      },
    };
  },
};
export default entry;

function run(
  kernels: Kernels,
  direction: "Encode" | "Decode",
  type: IntegerType | FloatType,
  source: Uint8Array,
): Uint8Array {
  const target = kernels.allocate(source.length);
  if (type.kind === "float" && type.format !== undefined) {
    (direction === "Encode" ? deltaEncodeHalf : deltaDecodeHalf)(type.format, target, source);
    return target;
  }
  const name = `delta${direction}${type.kind === "float" ? "F" : ""}${type.bits}`;
  if (runFilter(kernels, name, target, source, source.length / type.itemSize) !== undefined) return target;
  const twin = deltaTwins[name];
  if (twin === undefined) throw new UnsupportedError(`no kernel ${name}`, { codec: CODEC });
  twin(target, source);
  return target;
}
