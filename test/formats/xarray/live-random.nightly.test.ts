/**
 * Random data sets, written by writeDataset, and what xarray opens: every kind of data, encoding, layout and
 * format.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import {
  CalendarTimes,
  DateTimeArray,
  TimeDeltaArray,
  type VariableLike,
  writeDataset,
} from "../../../src/formats/xarray.js";
import type { JsonObject } from "../../../src/index.js";
import { readOracles } from "../../setup/oracles.js";

const { python } = readOracles();
const folder = mkdtempSync(join(tmpdir(), "wazarr-random-xarray-"));
afterAll(() => rmSync(folder, { recursive: true }));
const SEED = 20260803;
const DATASETS = 40;

function generator(seed: number) {
  let state = seed;
  const next = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const pick = <Item>(items: readonly Item[], otherwise: Item): Item =>
    items[next(items.length)] ?? otherwise;
  return { next, pick, chance: (parts: number): boolean => next(parts) === 0 };
}
type Random = ReturnType<typeof generator>;

interface Made {
  readonly data: unknown;
  readonly encoding: JsonObject;
  /** As xarray_expect.py takes it. */
  readonly kind: "number" | "time" | "delta" | "calendar" | "text" | "bool";
  readonly dtype: string;
  readonly values: readonly (string | boolean)[];
}

const INTEGERS = {
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
} as const;
const HOUR = 3_600_000_000_000n;
const NAT = -(2n ** 63n);
const bytes = (ticks: BigInt64Array): Uint8Array => new Uint8Array(ticks.buffer);
const show = (tick: bigint): string => (tick === NAT ? "NaT" : String(tick));

const MAKERS: readonly ((random: Random, length: number) => Made)[] = [
  // Integers as they are.
  ({ next, pick }, length) => {
    const dtype = pick(["int8", "uint8", "int16", "uint16", "int32", "uint32"] as const, "int8");
    const data = new INTEGERS[dtype](length).map(() => next(100));
    return { data, encoding: {}, kind: "number", dtype, values: Array.from(data, String) };
  },
  ({ next }, length) => {
    const data = BigInt64Array.from({ length }, () => BigInt(next(2 ** 32)) * -(2n ** 30n) - 1n);
    return { data, encoding: {}, kind: "number", dtype: "int64", values: Array.from(data, String) };
  },
  // Floats, with NaN, and with another fill value.
  ({ next, pick, chance }, length) => {
    const dtype = pick(["float32", "float64"] as const, "float64");
    const Class = dtype === "float32" ? Float32Array : Float64Array;
    const data = new Class(length);
    for (let i = 0; i < length; i++) data[i] = chance(6) ? Number.NaN : next(2 ** 31) / 7919;
    return {
      data,
      encoding: chance(2) ? {} : { _FillValue: -999 },
      kind: "number",
      dtype,
      values: Array.from(data, String),
    };
  },
  // Packed: numbers that the integers stand for.
  ({ next, pick, chance }, length) => {
    const [dtype, most] = pick(
      [
        ["int16", 32767],
        ["uint8", 254],
        ["int32", 2 ** 31 - 1],
        ["uint16", 65534],
      ] as const,
      ["int16", 32767],
    );
    const [scale, offset] = [next(1000) / 1000 + 0.001, next(1000) - 500.5];
    const fill = dtype.startsWith("u") ? most + 1 : -most - 1;
    const data = Float64Array.from({ length }, () => (chance(6) ? Number.NaN : next(most) * scale + offset));
    const encoding = { dtype, scale_factor: scale, add_offset: offset, _FillValue: fill };
    return { data, encoding, kind: "number", dtype: "float64", values: Array.from(data, String) };
  },
  // Times: Dates, ticks, units that fit and units that do not.
  ({ next, pick }, length) => {
    const data = Array.from(
      { length },
      () => new Date(Date.UTC(1900 + next(200), next(12), 1 + next(28), next(24))),
    );
    const units = pick(
      [undefined, "hours since 1900-01-01", "days since 2000-01-01 12:00:00", "seconds since 1970-01-01"],
      undefined,
    );
    const encoding = units === undefined ? {} : { units, dtype: "int64" };
    return {
      data,
      encoding,
      kind: "time",
      dtype: "datetime64[ns]",
      values: data.map((each) => String(BigInt(each.getTime()) * 1_000_000n)),
    };
  },
  ({ next, pick, chance }, length) => {
    const step = pick([1n, 1000n, HOUR, 24n * HOUR, 60_000_000_000n], HOUR);
    const ticks = BigInt64Array.from({ length }, () =>
      chance(8) ? NAT : BigInt(next(20000)) * step + 946_684_800_000_000_000n,
    );
    const data = new DateTimeArray(bytes(ticks), { unit: "ns", scaleFactor: 1 });
    return { data, encoding: {}, kind: "time", dtype: "datetime64[ns]", values: Array.from(ticks, show) };
  },
  ({ next, pick, chance }, length) => {
    const step = pick([1n, 1_000_000n, HOUR, 24n * HOUR], HOUR);
    const ticks = BigInt64Array.from({ length }, () =>
      chance(8) ? NAT : BigInt(next(20000) - 10000) * step,
    );
    const data = new TimeDeltaArray(bytes(ticks), { unit: "ns", scaleFactor: 1 });
    return { data, encoding: {}, kind: "delta", dtype: "timedelta64[ns]", values: Array.from(ticks, show) };
  },
  ({ next, pick }, length) => {
    const calendar = pick(["noleap", "360_day", "all_leap", "julian"] as const, "noleap");
    const step = pick([86_400_000_000n, 3_600_000_000n, 1n], 1n);
    const ticks = BigInt64Array.from({ length }, () => BigInt(next(100_000)) * step);
    const data = new CalendarTimes(calendar, ticks);
    return { data, encoding: {}, kind: "calendar", dtype: calendar, values: Array.from(ticks, String) };
  },
  ({ next }, length) => {
    const data = Array.from({ length }, () => ["", "é", "a longer text", "日本"][next(4)] ?? "");
    return { data, encoding: {}, kind: "text", dtype: "object", values: data };
  },
  ({ chance }, length) => {
    const data = Array.from({ length }, () => chance(2));
    return { data, encoding: chance(2) ? { dtype: "int8" } : {}, kind: "bool", dtype: "bool", values: data };
  },
];

test.skipIf(!python?.xarray || !python?.cftime)("random data sets open as equal", async () => {
  const random = generator(SEED);
  const { next, pick, chance } = random;
  const asked: object[] = [];
  for (let i = 0; i < DATASETS; i++) {
    const zarrFormat = i % 2 === 0 ? 3 : 2;
    const lengths: Record<string, number> = { x: 1 + next(6), y: 1 + next(5), time: 1 + next(7) };
    const coords: Record<string, VariableLike> = {};
    const dataVars: Record<string, VariableLike> = {};
    const variables: object[] = [];
    for (let v = 0, count = 3 + next(6); v < count; v++) {
      const dims = ["time", "y", "x"].filter(() => !chance(3));
      const shape = dims.map((name) => lengths[name] ?? 1);
      const isCoordinate = chance(4);
      const make = pick(MAKERS, MAKERS[0] ?? never());
      const { data, encoding, ...expected } = make(
        random,
        shape.reduce((a, b) => a * b, 1),
      );
      const chunks = shape.map((length) => 1 + next(length));
      const layout = chance(2)
        ? {}
        : {
            chunks,
            ...(zarrFormat === 3 && chance(2) ? { shards: chunks.map((length) => 2 * length) } : {}),
            codecs: pick([["gzip"], ["zstd"], []], []),
          };
      const attrs = chance(2) ? {} : { long_name: `variable ${v}`, valid: [1, 2.5] };
      const name = `v${v}`;
      const variable = { dims, shape, data, attrs, encoding: { ...encoding, ...layout } };
      if (isCoordinate) coords[name] = variable;
      else dataVars[name] = variable;
      variables.push({ name, dims, shape, isCoordinate, attrs, ...expected });
    }
    const attrs = { title: `data set ${i}`, n: i };
    const path = join(folder, `${i}.zarr`);
    const consolidated = chance(2);
    await writeDataset(new FileSystemStore(path), { coords, dataVars, attrs }, { zarrFormat, consolidated });
    asked.push({ folder: path, consolidated, attrs, variables });
  }
  const output = execFileSync(python?.executable ?? "", ["scripts/oracles/xarray_expect.py"], {
    input: JSON.stringify(asked),
    maxBuffer: 1 << 27,
  });
  const differences: readonly (string | null)[] = JSON.parse(output.toString());
  expect(
    differences.map((difference, i) => ({ i, difference })).filter(({ difference }) => difference !== null),
  ).toEqual([]);
  expect(differences).toHaveLength(DATASETS);
});

function never(): never {
  throw new Error("there are makers");
}
