/** Compares what wazarr makes of a GRIB file with the data sets of cfgrib. */
import { inflateSync } from "node:zlib";
import { expect } from "vitest";
import { openDataset } from "../../../../src/formats/xarray.js";
import { get, open, root, type Store } from "../../../../src/index.js";
import { openVirtual } from "../../../../src/stores/virtual/index.js";
import { fromBase64 } from "../../../core/codecs/harness.js";

interface Elements {
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  readonly type: string;
  readonly data: string;
}

interface GribVariable extends Elements {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly coordinates: readonly string[];
}

export interface GribCase {
  readonly name: string;
  readonly file: string;
  readonly datasets: readonly {
    readonly variables: Readonly<Record<string, GribVariable>>;
    readonly coordinates: Readonly<Record<string, Elements>>;
  }[];
}

/** Names are those of cfgrib, with an end for what cfgrib has in several data sets. */
export async function expectGribFile({ file, datasets }: GribCase): Promise<void> {
  const store = await openVirtual({ store: new Map([["/file", fromBase64(file)]]), key: "/file" });
  const { variables } = await openDataset(store);
  for (const dataset of datasets) {
    for (const [name, expected] of Object.entries(dataset.variables)) {
      const level = expected.attributes.GRIB_typeOfLevel;
      const found = variables[name] ?? variables[`${name}_${level}`];
      if (found === undefined) throw new Error(`no ${name}; there are ${Object.keys(variables).join(", ")}`);
      expect([name, found.dims.map(plain)]).toEqual([name, expected.dims]);
      expect(found.shape).toEqual(expected.shape);
      const { GRIB_paramId: id, ...attributes } = expected.attributes;
      expect(found.attrs).toMatchObject(attributes);
      const { data } = await get(found.array);
      expect(firstDifference(data, valuesOf(expected)), name).toBe(-1);
      await expectCoordinates(store, String(found.encoding.coordinates), dataset.coordinates, expected);
    }
  }
}

async function expectCoordinates(
  store: Store,
  named: string,
  coordinates: Readonly<Record<string, Elements>>,
  variable: GribVariable,
): Promise<void> {
  const names = named.split(" ");
  expect(names.map(plain).sort()).toEqual(variable.coordinates);
  for (const name of names) {
    const expected = coordinates[plain(name)];
    if (expected === undefined) throw new Error(`no coordinate ${name}`);
    const array = await open(root(store).resolve(name), { kind: "array" });
    expect([name, array.dimensionNames?.map((each) => plain(each ?? ""))]).toEqual([name, expected.dims]);
    const found = numbersOf(await get(array));
    const wanted = Array.from(valuesOf(expected), Number);
    expect(found.length, name).toBe(wanted.length);
    // What a message rounds: edition 1 to thousandths of a degree.
    const most = /itude/.test(name) ? 1e-3 : 0;
    for (const [i, number] of wanted.entries())
      expect(
        Math.abs((found[i] ?? Number.NaN) - number),
        `${name} ${i} ${found[i]} ${number}`,
      ).toBeLessThanOrEqual(most);
  }
}

/** The numbers of a coordinate, or its one number. */
function numbersOf(elements: unknown): number[] {
  if (typeof elements === "number" || typeof elements === "bigint") return [Number(elements)];
  const data = typeof elements === "object" && elements !== null && "data" in elements ? elements.data : [];
  if (data instanceof Float64Array || data instanceof BigInt64Array)
    return Array.from<number | bigint, number>(data, Number);
  throw new Error("expected float64 or int64");
}

const plain = (name: string): string => name.replace(/_\d+$/, "");

function valuesOf({ type, data }: Elements): ArrayLike<number | bigint> {
  const { buffer, byteOffset, byteLength } = inflateSync(fromBase64(data));
  const copy = buffer.slice(byteOffset, byteOffset + byteLength);
  if (type === "float32") return new Float32Array(copy);
  if (type === "float64") return new Float64Array(copy);
  if (type === "int64") return new BigInt64Array(copy);
  throw new Error(`no numbers of ${type}`);
}

function firstDifference(one: unknown, other: ArrayLike<number | bigint>): number {
  if (!(one instanceof Float32Array)) throw new Error("expected float32");
  return one.findIndex((value, i) => !Object.is(value, other[i]));
}
