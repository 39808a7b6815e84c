/**
 * Writing data sets by itself: what comes back is what was given, and what cannot be written is refused by
 * name before anything is.
 */
import { expect, test } from "vitest";
import {
  CalendarTimes,
  type DatasetLike,
  DateTimeArray,
  openDataset,
  TimeDeltaArray,
  type VariableLike,
  writeDataset,
} from "../../../src/formats/xarray.js";
import { type JsonObject, MemoryStore, open, root } from "../../../src/index.js";

const ticks = (...values: readonly bigint[]): Uint8Array => new Uint8Array(BigInt64Array.from(values).buffer);
const NAT = -(2n ** 63n);
const HOUR = 3_600_000_000_000n;

/** One variable on the dimension x. */
const alone = (data: unknown, encoding: JsonObject = {}, attrs: JsonObject = {}): DatasetLike => ({
  dataVars: { v: { dims: ["x"], data, attrs, encoding } },
});
async function stored(dataset: DatasetLike, zarrFormat: 2 | 3 = 3) {
  const store = new MemoryStore();
  await writeDataset(store, dataset, { zarrFormat });
  const array = await open(root(store).resolve("v"), { kind: "array" });
  const plain = await openDataset(store, { decode: false });
  const { variables } = await openDataset(store);
  const raw = (await plain.variables.v?.get())?.data;
  return {
    attributes: array.attrs,
    fill: array.fillValue,
    dtype: array.dtype,
    raw,
    value: (await variables.v?.get())?.data,
  };
}

test.each([2, 3] as const)("a data set of format %i", async (zarrFormat) => {
  const store = new MemoryStore();
  const time = [0, 6, 12].map((hour) => new Date(Date.UTC(2026, 7, 1, hour)));
  const variable = (
    dims: readonly string[],
    data: unknown,
    more: Partial<VariableLike> = {},
  ): VariableLike => ({ dims, data, ...more });
  await writeDataset(
    store,
    {
      attrs: { title: "made" },
      coords: {
        time: variable(["time"], time, {
          attrs: { bounds: "time_bnds" },
          encoding: { units: "hours since 1900-01-01", dtype: "int32" },
        }),
        lon: variable(["lon"], [0, 120]),
        height: variable([], 2),
        zone: variable(["lon"], ["a", "b"]),
      },
      dataVars: {
        t2m: variable(["time", "lon"], Float64Array.of(270, 280.5, Number.NaN, 290, 300, 301), {
          shape: [3, 2],
          attrs: { units: "K" },
          encoding: {
            dtype: "int16",
            scale_factor: 0.5,
            add_offset: 273,
            _FillValue: -32768,
            chunks: [1, 2],
          },
        }),
        time_bnds: variable(
          ["time", "side"],
          time.flatMap((each) => [each, each]),
          { shape: [3, 2] },
        ),
        land: variable(["lon"], [true, false]),
      },
    },
    { zarrFormat },
  );
  const packed = await open(root(store).resolve("t2m"), { kind: "array" });
  expect([packed.dtype, packed.chunks, packed.dimensionNames]).toEqual(["int16", [1, 2], ["time", "lon"]]);
  expect(packed.attrs).toMatchObject({ coordinates: "height zone", units: "K", scale_factor: 0.5 });
  const { coords, dataVars, attrs } = await openDataset(store);
  expect([Object.keys(coords).sort(), attrs]).toEqual([["height", "lon", "time", "zone"], { title: "made" }]);
  const t2m = await dataVars.t2m?.get({ time: "2026-08-01T06" });
  expect([t2m?.data, t2m?.coords.height?.data]).toEqual([
    Float64Array.of(Number.NaN, 290),
    Float64Array.of(2),
  ]);
  expect((await dataVars.land?.get())?.data).toHaveLength(2);
  expect(coords.time?.encoding).toMatchObject({ units: "hours since 1900-01-01", dtype: "int32" });
  expect(dataVars.time_bnds?.encoding).toMatchObject({ units: "hours since 1900-01-01" });
});

test("units are the longest that divide all steps", async () => {
  const hours = await stored(
    alone(new DateTimeArray(ticks(6n * HOUR, NAT, 8n * HOUR), { unit: "ns", scaleFactor: 1 })),
  );
  expect(hours).toMatchObject({
    attributes: {
      units: "hours since 1970-01-01 06:00:00",
      calendar: "proleptic_gregorian",
      _FillValue: NAT,
    },
    raw: BigInt64Array.of(0n, NAT, 2n),
  });
  const finer = await stored(alone([new Date(1500)], { units: "hours since 1970-01-01", dtype: "int32" }));
  expect(finer).toMatchObject({
    attributes: { units: "milliseconds since 1970-01-01" },
    raw: Int32Array.of(1500),
  });
  const fraction = await stored(alone([new Date(5_400_000)], { units: "hours since 1970-01-01" }));
  expect(fraction).toMatchObject({ dtype: "float64", raw: Float64Array.of(1.5) });
  const noleap = await stored(alone(new CalendarTimes("noleap", BigInt64Array.of(0n, 86_400_000_000n))));
  expect(noleap.attributes).toEqual({ units: "days since 1970-01-01 00:00:00", calendar: "noleap" });
  const steps = await stored(
    alone(new TimeDeltaArray(ticks(3n * HOUR, 6n * HOUR), { unit: "ns", scaleFactor: 1 })),
  );
  expect(steps).toMatchObject({
    attributes: { units: "hours", dtype: "timedelta64[ns]" },
    raw: BigInt64Array.of(3n, 6n),
  });
});

test("packed numbers are rounded to even, with the fill value for NaN", async () => {
  const values = Float64Array.of(0.5, 1.5, 2.5, -0.5, Number.NaN);
  const encoding = { dtype: "uint8", add_offset: -1, _FillValue: 255 };
  expect((await stored(alone(values, encoding))).raw).toEqual(Uint8Array.of(2, 2, 4, 0, 255));
  const signed = await stored(alone(Uint8Array.of(200, 3), { dtype: "int8", _Unsigned: "true" }), 2);
  expect(signed).toMatchObject({ dtype: "int8", raw: Int8Array.of(-56, 3), value: Uint8Array.of(200, 3) });
});

test("a variable of an opened data set is copied, or encoded anew where its encoding is named", async () => {
  const [store, target] = [new MemoryStore(), new MemoryStore()];
  await writeDataset(store, alone(Int16Array.of(1, 2), {}, { long_name: "counts" }), { zarrFormat: 2 });
  await writeDataset(target, await openDataset(store), { encoding: { v: { dtype: "int32", chunks: [1] } } });
  const array = await open(root(target).resolve("v"), { kind: "array" });
  expect([array.dtype, array.chunks, array.attrs]).toEqual(["int32", [1], { long_name: "counts" }]);
});

test.each<[string, DatasetLike, string | undefined]>([
  ["beyond the type", alone(Float64Array.of(1, 400), { dtype: "uint8" }), "encoding.dtype"],
  ["beyond the type when packed", alone([1e6], { dtype: "int16", scale_factor: 0.1 }), "encoding.dtype"],
  ["NaN without a fill value", alone([Number.NaN], { dtype: "int16" }), "encoding._FillValue"],
  ["a fill value beyond the type", alone([1], { dtype: "int8", _FillValue: -32768 }), "encoding._FillValue"],
  ["a scale of 0", alone([1], { scale_factor: 0 }), "encoding.scale_factor"],
  ["a scale that is no number", alone([1], { scale_factor: "two" }), "encoding.scale_factor"],
  ["a type that is none", alone([1], { dtype: "int12" }), "encoding.dtype"],
  ["a word that is not known", alone([1], { scale: 2 }), "encoding.scale"],
  ["units that are none", alone([new Date(0)], { units: "parsecs since 1970-01-01" }), "encoding.units"],
  ["a calendar that Dates do not have", alone([new Date(0)], { calendar: "noleap" }), "encoding.calendar"],
  ["the reform", alone([new Date(Date.UTC(1500, 0, 1))], { calendar: "standard" }), "encoding.calendar"],
  ["units twice", alone([new Date(0)], {}, { units: "days" }), "attrs.units"],
  [
    "times beyond the type",
    alone([new Date(Date.UTC(9000, 0, 1))], { units: "nanoseconds since 1970-01-01" }),
    "encoding.units",
  ],
  ["chunks that are no lengths", alone([1], { chunks: "auto" }), "encoding.chunks"],
  ["codecs that are none", alone([1], { codecs: 5 }), "encoding.codecs"],
  ["a misspelt compressor", alone([1], { codecs: { compresor: { id: "gzip" } } }), "encoding.codecs"],
  ["a shape that does not fit", { dataVars: { v: { dims: ["x"], data: [1, 2], shape: [3] } } }, undefined],
  [
    "dimensions that differ",
    { dataVars: { w: { dims: ["x"], data: [1, 2] }, v: { dims: ["x"], data: [1] } } },
    undefined,
  ],
])("%s is refused by name, and nothing is written", async (_, dataset, member) => {
  const store = new MemoryStore();
  await expect(writeDataset(store, dataset)).rejects.toMatchObject({
    tag: "InvalidArgumentError",
    path: "/v",
    ...(member === undefined ? {} : { member }),
  });
  const keys: string[] = [];
  for await (const key of store.list()) keys.push(key);
  expect(keys).toEqual([]);
});

test.each(["constructor", "toString", "valueOf"])(
  "a variable may be named %s, and is copied as it is stored",
  async (name) => {
    const store = new MemoryStore();
    const encoding = { scale_factor: 0.5, dtype: "int16" };
    const variable = { dims: ["x"], data: Float64Array.of(1, 2.5), encoding };
    await writeDataset(store, { dataVars: Object.fromEntries([[name, variable]]) });
    const key = `/${name}/c/0` as const;
    const chunk = Uint8Array.of(1, 2, 3);
    store.set(key, chunk);
    // A chunk that cannot be decoded is copied, unless the elements are encoded again.
    const copied = new MemoryStore();
    await writeDataset(copied, await openDataset(store));
    expect(copied.get(key)).toEqual(chunk);
    await expect(
      writeDataset(copied, await openDataset(store), {
        encoding: Object.fromEntries([[name, { dtype: "int32" }]]),
        overwrite: true,
      }),
    ).rejects.toMatchObject({ tag: "CodecError" });
  },
);

test("whole floats among attributes stay floats: to Python 2.0 and 2 are two types", async () => {
  const text = (store: MemoryStore, key: `/${string}`) => new TextDecoder().decode(store.get(key));
  const source = new MemoryStore();
  const packed = { dtype: "int8", scale_factor: 2, add_offset: 0, _FillValue: -1 };
  await writeDataset(source, alone([2, Number.NaN, 6], packed, { step: 1 }));
  expect(text(source, "/v/zarr.json")).toContain('"scale_factor": 2.0');
  expect(text(source, "/v/zarr.json")).toContain('"add_offset": 0.0');
  const named = text(source, "/v/zarr.json").replace('"step": 1', '"step": 1.0, "levels": [1.0, 2]');
  source.set("/v/zarr.json", new TextEncoder().encode(named));
  const group = text(source, "/zarr.json").replace('"attributes": {}', '"attributes": {"version": 3.0}');
  source.set("/zarr.json", new TextEncoder().encode(group.replace(/"consolidated_metadata"/, '"x"')));
  for (const encoding of [undefined, { v: { dtype: "int16" } }]) {
    for (const zarrFormat of [2, 3] as const) {
      const copy = new MemoryStore();
      await writeDataset(copy, await openDataset(source), { encoding, zarrFormat });
      const written = text(copy, zarrFormat === 2 ? "/v/.zattrs" : "/v/zarr.json").replace(/\s+/g, " ");
      for (const each of ['"scale_factor": 2.0', '"add_offset": 0.0', '"step": 1.0', '"levels": [ 1.0, 2 ]'])
        expect(written).toContain(each);
      expect(text(copy, zarrFormat === 2 ? "/.zattrs" : "/zarr.json")).toContain('"version": 3.0');
    }
  }
});
