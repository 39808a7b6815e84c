/**
 * `bitround` (array -> array): rounds away trailing bits, so that elements compress better. Lossy on writing; reading changes nothing.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/bitround
 * Floats keep `keepbits` bits of the mantissa, integers that many from the most significant bit that is set, ties to even; complex
 * numbers round both parts, dates are integers. Also `numcodecs.bitround` (which knows floats only and writes `keepbits: 0` as well),
 * `https://codec.zarrs.dev/array_to_bytes/bitround`. Integers that would round out of their type keep all leading bits, as in zarrs.
 * Deviation: NaNs stay as they are, where numcodecs rounds their payload as well, some to -0 or Infinity.
 * `{"name": "bitround", "configuration": {"keepbits": 10}}`
 */
import type { DataType } from "../data-types/data-type.js";
import { InvalidMetadataError, UnsupportedError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayToArrayCodec, CodecEntry } from "./codec.js";
import { readInteger, readNumcodecs, writeSettings } from "./configuration.js";
import { fillPattern } from "./fill-pattern.js";
import { loadFilters, runFilter } from "./filters/kernels.js";
import { aligned } from "./filters/number-type.js";

import { bitroundTwin, type RoundedParts } from "./filters/twins/bitround.js";

const CODEC = "bitround";
const MAXIMUM_KEEPBITS = 2 ** 31 - 1;

const FLOATS: Readonly<Record<string, RoundedParts>> = {
  float16: { width: 2, mantissaBits: 10, infinity: 0x7c00 },
  bfloat16: { width: 2, mantissaBits: 7, infinity: 0x7f80 },
  float32: { width: 4, mantissaBits: 23, infinity: 0 },
  float64: { width: 8, mantissaBits: 52, infinity: 0 },
};

/** An entry for one of the two names. @param minimum the least `keepbits` */
export function bitroundEntry(minimum: number): CodecEntry {
  return {
    kind: "array_to_array",
    async load(kernels) {
      await loadFilters(kernels);
    },
    checkWriting(configuration) {
      readKeepbits(configuration, minimum);
    },
    fromConfig(configuration, spec): ArrayToArrayCodec {
      readNumcodecs(CODEC, configuration, ["keepbits"]);
      const keepbits = writeSettings(() => readKeepbits(configuration, minimum), MAXIMUM_KEEPBITS);
      const parts = roundedParts(spec.dataType);
      const pattern = fillPattern(spec.dataType, spec.fillValue);
      const rounded = new Uint8Array(pattern.length);
      bitroundTwin(rounded, pattern, parts, keepbits.estimate);
      const fillValue = spec.fillValue === undefined ? undefined : spec.dataType.readScalar(rounded, true);
      return {
        kind: "array_to_array",
        encoded: { ...spec, fillValue },
        encode: (elements, { kernels }) => run(kernels, elements, parts, keepbits.get()),
      };
    },
  };
}

export default bitroundEntry(1);

function readKeepbits(configuration: JsonObject, minimum: number): number {
  if (configuration.keepbits !== undefined)
    return readInteger(CODEC, configuration, "keepbits", { minimum, maximum: MAXIMUM_KEEPBITS, absent: 0 });
  throw new InvalidMetadataError("expected a number of bits, got nothing", {
    codec: CODEC,
    member: "configuration.keepbits",
  });
}

function roundedParts({ name, itemSize }: DataType): RoundedParts {
  const part =
    name === "complex64" ? "float32" : name === "complex128" ? "float64" : name.replace(/^complex_/, "");
  const float = FLOATS[part];
  if (float !== undefined) return float;
  const isInteger = /^(u?int(8|16|32|64)|numpy\.(datetime|timedelta)64)$/.test(name);
  if (isInteger && (itemSize === 1 || itemSize === 2 || itemSize === 4 || itemSize === 8)) {
    return { width: itemSize, mantissaBits: undefined, infinity: 0 };
  }
  throw new UnsupportedError(
    `bitround of data type ${name} is not supported: expected integers of 8 to 64 bits, floats of 16 to 64, or complex numbers of those`,
    { codec: CODEC },
  );
}

function run(kernels: Kernels, elements: Uint8Array, parts: RoundedParts, keepbits: number): Uint8Array {
  const { width, mantissaBits, infinity } = parts;
  if (keepbits >= (mantissaBits ?? 8 * width)) return elements;
  const source = aligned(elements, width);
  const target = kernels.allocate(source.length);
  const count = source.length / width;
  const [name, bits] =
    mantissaBits === undefined
      ? [`bitroundInteger${8 * width}`, keepbits]
      : [`bitroundFloat${8 * width}`, mantissaBits - keepbits];
  if (runFilter(kernels, name, target, source, count, bits, infinity) === undefined) {
    bitroundTwin(target, source, parts, keepbits);
  }
  return target;
}
