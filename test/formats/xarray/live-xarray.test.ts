/**
 * Data sets, decoding and selections against xarray and cftime, to the bit: one Python process writes random
 * data sets and says what it reads.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import {
  at,
  CalendarTimes,
  type DatasetSelection,
  nearest,
  openDataset,
  range,
} from "../../../src/formats/xarray.js";
import { readOracles } from "../../setup/oracles.js";

interface Expected {
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  readonly isCoordinate: boolean;
  readonly attrs: readonly string[];
  readonly type: string;
  readonly texts?: readonly string[];
  readonly bytes?: string;
  readonly error?: string;
  readonly units?: unknown;
}
interface Answer {
  readonly sets: readonly {
    readonly name: string;
    readonly error?: string;
    readonly variables: Readonly<Record<string, Expected>>;
    readonly dims?: Readonly<Record<string, number>>;
    readonly attrs?: readonly string[];
  }[];
  readonly selections: readonly (Expected & {
    readonly selection: Readonly<Record<string, readonly [string, ...(string | number)[]]>>;
    readonly coords: readonly string[];
  })[];
}

const { python } = readOracles();
const folder = mkdtempSync(join(tmpdir(), "wazarr-xarray-"));
afterAll(() => rmSync(folder, { recursive: true }));
const SEED = 20260801;

describe.skipIf(!python?.xarray || !python?.cftime)("as xarray reads", () => {
  let answer: Answer = { sets: [], selections: [] };
  beforeAll(() => {
    const script = "scripts/oracles/xarray_datasets.py";
    const output = execFileSync(python?.executable ?? "", [script, folder, String(SEED)], {
      maxBuffer: 1 << 27,
    });
    answer = JSON.parse(output.toString());
  });
  const storeOf = (name: string): FileSystemStore => new FileSystemStore(join(folder, name));

  test.each(["packed-v2", "packed-v3", "times-v2", "times-v3", "written-v2", "written-v3"])(
    "%s",
    async (name) => {
      const set = answer.sets.find((each) => each.name === name);
      expect(set?.error).toBeUndefined();
      const dataset = await openDataset(storeOf(name));
      const wrong: unknown[] = [];
      for (const [key, expected] of Object.entries(set?.variables ?? {})) {
        if (expected.error !== undefined) continue;
        const variable = dataset.variables[key];
        const result = await variable?.get();
        const found = {
          dims: result?.dims,
          shape: result?.shape,
          attrs: Object.keys(result?.attrs ?? {}).sort(),
          isCoordinate: key in dataset.coords,
          ...valuesOf(result?.data),
        };
        const { dims, shape, attrs, isCoordinate } = expected;
        const right = { dims, shape, attrs, isCoordinate, ...shown(expected) };
        if (JSON.stringify(found) !== JSON.stringify(right))
          wrong.push({ key, units: expected.units, found, right });
      }
      expect(wrong).toEqual([]);
      expect(Object.keys(dataset.variables).sort()).toEqual(Object.keys(set?.variables ?? {}).sort());
      if (set?.dims !== undefined) expect(dataset.dims).toEqual(set.dims);
      if (set?.attrs !== undefined) expect(Object.keys(dataset.attrs).sort()).toEqual(set.attrs);
    },
  );

  test("selections", async () => {
    const { variables } = await openDataset(storeOf("written-v3"));
    expect(answer.selections.length).toBeGreaterThan(70);
    for (const { selection, shape, coords, ...expected } of answer.selections) {
      const result = await variables.t2m?.get(entriesOf(selection));
      const given = {
        shape: result?.shape,
        coords: Object.keys(result?.coords ?? {}).sort(),
        ...valuesOf(result?.data),
      };
      expect(given, JSON.stringify(selection)).toEqual({ shape, coords, ...shown(expected) });
    }
  });
});

function entriesOf(selection: Answer["selections"][number]["selection"]): DatasetSelection {
  const make = ([kind, a = "", b = ""]: readonly (string | number)[]) =>
    kind === "range" ? range(a, b) : kind === "nearest" ? nearest(a) : at(a);
  return Object.fromEntries(Object.entries(selection).map(([name, entry]) => [name, make(entry)]));
}

/** Elements as text; bytes in hexadecimal, NaNs alike. */
function valuesOf(data: unknown): { values: readonly string[] | string } {
  if (data instanceof CalendarTimes) return { values: Array.from(data, (_, i) => data.toISOString(i)) };
  if (Array.isArray(data)) return { values: data.map(String) };
  if (data instanceof Float32Array || data instanceof Float64Array) return { values: Array.from(data, text) };
  if (typeof data === "object" && data !== null && "ticks" in data && data.ticks instanceof BigInt64Array) {
    return { values: [`unit ${"unit" in data ? data.unit : ""}`, ...Array.from(data.ticks, String)] };
  }
  if (isIterable(data))
    return { values: Array.from(data, (each) => (typeof each === "object" ? decoded(each) : String(each))) };
  return { values: [String(data)] };
}
const text = (value: number): string => (Object.is(value, -0) ? "-0" : String(value));
function decoded(value: unknown): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}
function isIterable(data: unknown): data is Iterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.iterator in data;
}

function shown({ type, texts, bytes }: Pick<Expected, "type" | "texts" | "bytes">): {
  values: readonly string[] | string;
} {
  if (texts !== undefined) return { values: texts };
  const buffer = Uint8Array.from(Buffer.from(bytes ?? "", "base64")).buffer;
  const unit = /\[(\w+)\]/.exec(type)?.[1];
  if (unit !== undefined)
    return { values: [`unit ${unit}`, ...Array.from(new BigInt64Array(buffer), String)] };
  if (type === "float64") return { values: Array.from(new Float64Array(buffer), text) };
  if (type === "float32") return { values: Array.from(new Float32Array(buffer), text) };
  if (type === "bool") return { values: Array.from(new Uint8Array(buffer), (each) => String(each !== 0)) };
  const width = /^\|?S(\d+)$/.exec(type)?.[1];
  if (width !== undefined) {
    const all = Buffer.from(buffer);
    const items = Array.from({ length: all.length / Number(width) }, (_, i) =>
      all.subarray(i * +width, (i + 1) * +width),
    );
    return { values: items.map((item) => item.toString().replace(/\0+$/, "")) };
  }
  const classes = {
    int8: Int8Array,
    int16: Int16Array,
    int32: Int32Array,
    uint8: Uint8Array,
    uint16: Uint16Array,
    uint32: Uint32Array,
  };
  if (type === "int64") return { values: Array.from(new BigInt64Array(buffer), String) };
  if (type === "uint64") return { values: Array.from(new BigUint64Array(buffer), String) };
  const [, Class] = Object.entries(classes).find(([name]) => name === type) ?? [];
  return { values: Class === undefined ? `type ${type}` : Array.from(new Class(buffer), String) };
}
