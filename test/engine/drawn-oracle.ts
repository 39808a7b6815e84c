/** What a read with `as` gives, by a loop over the elements of a plain read. */

import { FLOAT16 } from "../../src/data-types/float-formats.js";
import { SmallFloatArray } from "../../src/data-types/small-float.js";
import type { DrawnType, DrawOptions } from "../../src/main/reading.js";

type Wanted = Pick<DrawOptions, "as" | "missingAs" | "scale" | "offset" | "window"> & {
  readonly missing?: readonly (number | bigint)[] | undefined;
};

const CLASSES = {
  float16: Uint16Array,
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
} as const satisfies Record<DrawnType, unknown>;

const isShort = (type: string) => /(16|float32|[^0-9]8|bool|int[24])$|float[468]_/.test(type);

function nearestEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

/** The scaled values, NaN where they are missing, and the elements of the result. */
export function drawn(stored: readonly unknown[], dtype: string, wanted: Wanted) {
  const { as, missing = [], scale = 1, offset = -0, window } = wanted;
  const round = isShort(dtype) && isShort(as) ? Math.fround : Number;
  const masked = missing.map((value) =>
    /float(16|32|[468]_)/.test(dtype) ? Math.fround(Number(value)) : value,
  );
  const values = stored.map((given) => {
    const value = typeof given === "bigint" ? given : Number(given);
    // Compares bigints with numbers exactly.
    if (masked.some((one) => !(one < value) && !(one > value))) return Number.NaN;
    return round(round(Number(value) * round(scale)) + round(offset));
  });
  const { missingAs = as.startsWith("float") ? Number.NaN : 0 } = wanted;
  const out = new CLASSES[as](values.length);
  const bits = Number(/\d+$/.exec(as)?.[0]);
  const least = as.startsWith("int") ? -(2 ** (bits - 1)) : 0;
  values.forEach((value, i) => {
    if (as === "float16") {
      const half = SmallFloatArray.from(FLOAT16, [Math.fround(Number.isNaN(value) ? missingAs : value)]);
      out[i] = new Uint16Array(half.buffer, half.byteOffset, 1)[0] ?? 0;
    } else if (Number.isNaN(value)) out[i] = missingAs;
    else if (as.startsWith("float")) out[i] = value;
    else {
      const [low, high] = window ?? [0, 1];
      const gain = window === undefined ? 1 : round(255 / round(round(high) - round(low)));
      const scaled = round(round(value - round(low)) * gain);
      out[i] = Math.min(Math.max(nearestEven(scaled), least), least + 2 ** bits - 1);
    }
  });
  return { values, out };
}

export function statisticsOf(values: readonly number[]) {
  const valid = values.filter((value) => !Number.isNaN(value));
  return {
    count: valid.length,
    minimum: valid.length > 0 ? Math.min(...valid) + 0 : Number.NaN,
    maximum: valid.length > 0 ? Math.max(...valid) + 0 : Number.NaN,
  };
}

export function histogramOf(values: readonly number[], bins: number, [low, high]: readonly [number, number]) {
  const counts = new Float64Array(bins);
  for (const value of values) {
    if (!(value >= low && value <= high)) continue;
    const bin = Math.min(Math.floor((value - low) * (bins / (high - low))), bins - 1);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
}
