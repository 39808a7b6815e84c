/**
 * numcodecs' `delta` (array -> array): the first element, then the difference of each element from the one
 * before it, in C order. https://numcodecs.readthedocs.io/en/stable/filter/delta.html `dtype` is the type of
 * the subtraction, `astype` the stored type (by default `dtype`), in numpy's notation. Also
 * `numcodecs.delta`. Integers wrap, so that any difference can be undone. NaNs keep sign and payload.
 * Deviations: writing integers that `astype` cannot restore is an error (numcodecs stores wrong ones), and so
 * are dtypes that numpy cannot restore or that are not numbers (dates). Booleans are read and not written:
 * numcodecs writes whether each differs from the one before it, and reads true from the first true on.
 * `{"id": "delta", "dtype": "<i4", "astype": "<i2"}`
 */
import {
  type ArrayToArrayCodec,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  float64At,
  type Kernels,
  readNumcodecs,
  UnsupportedError,
  uint32At,
} from "../../core/for-codecs.js";
import { checkRestored, convert, convertInto, refuse } from "./convert.js";
import { loadFilters, runFilter } from "./kernels.js";
import { keepNaNsOfDifferences, keepNaNsOfSums } from "./nan.js";
import {
  aligned,
  type FloatType,
  forTiles,
  type IntegerType,
  loadTile,
  storeTile,
  words,
} from "./numbers.js";
import { numpyFilter, readDtype, type StatedType } from "./numpy-types.js";
import { rounderOf } from "./tile-arithmetic.js";

const CODEC = "delta";

const entry: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "numcodecs" },
  load: loadFilters,
  checkWriting(configuration) {
    if (readDtype(CODEC, configuration, "dtype").dataType.name === "bool") refuseBooleans();
  },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["dtype", "astype"]);
    const stated = readDtype(CODEC, configuration, "dtype");
    const encodedAs = readDtype(CODEC, configuration, "astype", stated);
    if (stated.dataType.name === "bool") return deltaOfBooleans(spec, stated, encodedAs);
    const filter = numpyFilter(CODEC, spec, stated, encodedAs, ["integer", "float"]);
    const { type, encodedType, enter, leave } = filter;
    const encoded = filter.encoded((target, source) =>
      convertInto(target, encodedType, source, type, refuse(CODEC, encodedType)),
    );
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

function deltaOfBooleans(spec: ChunkSpec, stated: StatedType, encodedAs: StatedType): ArrayToArrayCodec {
  // A byte each: only the array's bytes and the stored ones have another type.
  const { encoded } = numpyFilter(CODEC, spec, stated, encodedAs, ["boolean"]);
  return {
    kind: "array_to_array",
    encoded: encoded(() => {}),
    decode(changes, { kernels }) {
      const elements = kernels.allocate(changes.length);
      let value = 0;
      for (const [i, change] of changes.entries()) {
        if (change > 1) {
          throw new CodecError(`expected differences of bool, 0 or 1, got ${change} at element ${i}`, {
            codec: CODEC,
            offset: i,
          });
        }
        value ^= change;
        elements[i] = value;
      }
      return elements;
    },
    encode: refuseBooleans,
  };
}

function refuseBooleans(): never {
  throw new UnsupportedError(
    "wazarr reads delta of bool and does not write it, because numcodecs does not read it back; leave delta out",
    { codec: CODEC },
  );
}

function run(
  kernels: Kernels,
  direction: "Encode" | "Decode",
  type: IntegerType | FloatType,
  source: Uint8Array,
): Uint8Array {
  const target = kernels.allocate(source.length);
  const name = `delta${direction}${type.kind === "float" ? "F" : ""}${type.bits}`;
  if (runFilter(kernels, name, target, source, source.length / type.itemSize) === undefined)
    runFallback(direction, type, target, source);
  if (type.kind === "float")
    (direction === "Encode" ? keepNaNsOfDifferences : keepNaNsOfSums)(target, source, type);
  return target;
}

/**
 * The kernels in JavaScript; half floats have no kernel. `target` and `source` are aligned and do not
 * overlap.
 */
function runFallback(
  direction: "Encode" | "Decode",
  type: IntegerType | FloatType,
  target: Uint8Array,
  source: Uint8Array,
): void {
  if (type.kind === "integer" && type.itemSize === 8) {
    (direction === "Encode" ? encode64 : decode64)(words(target), words(source));
    return;
  }
  // Integers of up to 32 bits wrap when they are stored.
  const round = type.kind === "integer" ? (sum: number) => sum | 0 : rounderOf(type);
  // -0 is what a first element of either zero is added to without a change; 0 is what it loses.
  let before = direction === "Encode" ? 0 : -0;
  forTiles(source.length / type.itemSize, (tile, first, count) => {
    loadTile(type, source, first, count, tile);
    for (let i = 0; i < count; i++) {
      const value = float64At(tile, i);
      const result = direction === "Encode" ? value - before : round(before + value);
      tile[i] = result;
      before = direction === "Encode" ? value : result;
    }
    storeTile(type, target, first, count, tile);
  });
}

function encode64(to: Uint32Array, from: Uint32Array): void {
  for (let i = 0, low = 0, high = 0; i < from.length; i += 2) {
    const nextLow = uint32At(from, i);
    const nextHigh = uint32At(from, i + 1);
    to[i] = nextLow - low;
    to[i + 1] = nextHigh - high - (nextLow < low ? 1 : 0);
    low = nextLow;
    high = nextHigh;
  }
}

function decode64(to: Uint32Array, from: Uint32Array): void {
  for (let i = 0, low = 0, high = 0; i < from.length; i += 2) {
    low += uint32At(from, i);
    const carry = low > 0xffffffff ? 1 : 0;
    low >>>= 0;
    high = (high + uint32At(from, i + 1) + carry) | 0;
    to[i] = low;
    to[i + 1] = high;
  }
}
