/**
 * Data sets that xarray wrote (scripts/oracles/make_xarray_fixtures.py), in v2 and v3, consolidated or not:
 * what it decodes and selects, to the bit.
 */
import { describe, expect, test } from "vitest";
import {
  at,
  CalendarTimes,
  DateTimeArray,
  type DimensionEntry,
  nearest,
  openDataset,
  range,
  writeDataset,
} from "../../../src/formats/xarray.js";
import { MemoryStore } from "../../../src/index.js";
import cube2 from "../../fixtures/xarray/cube-v2.json?raw";
import cube3 from "../../fixtures/xarray/cube-v3.json?raw";
import ocean2 from "../../fixtures/xarray/ocean-v2.json?raw";
import ocean3 from "../../fixtures/xarray/ocean-v3.json?raw";
import reanalysis2 from "../../fixtures/xarray/reanalysis-v2.json?raw";
import reanalysis3 from "../../fixtures/xarray/reanalysis-v3.json?raw";

type Label = string | number;
interface Values {
  readonly dtype: string;
  readonly texts?: readonly string[];
  readonly bytes?: string;
}
interface Fixture {
  readonly dims: Readonly<Record<string, number>>;
  readonly attrs: Readonly<Record<string, unknown>>;
  readonly variables: Readonly<
    Record<
      string,
      Values & {
        readonly dims: readonly string[];
        readonly isCoordinate: boolean;
        readonly attrs: readonly string[];
      }
    >
  >;
  readonly selections: readonly (Values & {
    readonly variable: string;
    readonly shape: readonly number[];
    readonly selection: Readonly<
      Record<string, { at?: Label; nearest?: number; range?: readonly [Label, Label] }>
    >;
  })[];
  readonly store: Readonly<Record<string, string>>;
}

const bytesOf = (text: string): Uint8Array =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

const storeOf = ({ store }: Fixture): Map<string, Uint8Array> =>
  new Map(Object.entries(store).map(([key, text]) => [key, bytesOf(text)]));

function shown(data: unknown): readonly string[] {
  if (data instanceof CalendarTimes || data instanceof DateTimeArray)
    return Array.from({ length: data.length }, (_, i) => data.toISOString(i));
  return isIterable(data) ? Array.from(data, String) : [String(data)];
}
function isIterable(data: unknown): data is Iterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.iterator in data;
}

function expected({ dtype, texts, bytes = "" }: Values): readonly string[] {
  if (texts !== undefined) return texts;
  const { buffer } = bytesOf(bytes);
  if (dtype === "float64") return Array.from(new Float64Array(buffer), String);
  if (dtype === "float32") return Array.from(new Float32Array(buffer), String);
  throw new Error(`the fixture has ${dtype}`);
}

function entryOf({
  at: label,
  nearest: near,
  range: ends,
}: Fixture["selections"][number]["selection"][string]): DimensionEntry {
  if (near !== undefined) return nearest(near);
  return ends === undefined ? at(label ?? "") : range(...ends);
}

describe.each([
  ["reanalysis-v2", reanalysis2],
  ["reanalysis-v3", reanalysis3],
  ["cube-v2", cube2],
  ["cube-v3", cube3],
  ["ocean-v2", ocean2],
  ["ocean-v3", ocean3],
])("%s", (_, text) => {
  const fixture: Fixture = JSON.parse(text);

  test("variables, as xarray decodes them", async () => {
    const dataset = await openDataset(storeOf(fixture));
    expect(dataset.dims).toEqual(fixture.dims);
    expect(dataset.attrs).toEqual(fixture.attrs);
    expect(Object.keys(dataset.variables).sort()).toEqual(Object.keys(fixture.variables).sort());
    for (const [name, { dims, isCoordinate, attrs, ...values }] of Object.entries(fixture.variables)) {
      const result = await dataset.variables[name]?.get();
      expect(
        [result?.dims, name in dataset.coords, Object.keys(result?.attrs ?? {}).sort(), result?.dtype],
        name,
      ).toEqual([dims, isCoordinate, attrs, values.dtype]);
      expect(shown(result?.data), name).toEqual(expected(values));
    }
  });

  test("selections by label", async () => {
    const { variables } = await openDataset(storeOf(fixture));
    expect(fixture.selections.length).toBeGreaterThan(1);
    for (const { variable, selection, shape, ...values } of fixture.selections) {
      const entries = Object.entries(selection).map(([name, entry]) => [name, entryOf(entry)] as const);
      const result = await variables[variable]?.get(Object.fromEntries(entries));
      expect([result?.shape, shown(result?.data)]).toEqual([shape, expected(values)]);
    }
  });

  test.each([2, 3] as const)("written again as v%i", async (zarrFormat) => {
    const target = new MemoryStore();
    const source = await openDataset(storeOf(fixture));
    await writeDataset(target, source, { zarrFormat });
    const { coords, dataVars, attrs } = await openDataset(target);
    expect([Object.keys(coords).sort(), Object.keys(dataVars).sort(), attrs]).toEqual([
      Object.keys(source.coords).sort(),
      Object.keys(source.dataVars).sort(),
      source.attrs,
    ]);
    for (const [name, variable] of Object.entries({ ...coords, ...dataVars }))
      expect(shown((await variable.get()).data), name).toEqual(
        shown((await source.variables[name]?.get())?.data),
      );
  });
});
