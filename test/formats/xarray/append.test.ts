/** appendDataset: encoded as stored, one change for readers, and repeatable after any failure. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { appendDataset, type DatasetLike, openDataset, writeDataset } from "../../../src/formats/xarray.js";
import { type AbsolutePath, append, create, open, root } from "../../../src/index.js";
import { SlowStore } from "../../setup/stores.js";

const folder = mkdtempSync(join(tmpdir(), "wazarr-append-"));
afterAll(() => rmSync(folder, { recursive: true }));

const hour = (n: number) => new Date(Date.UTC(2024, 0, 1, n));
/** Hours `from` to `to`; every element of hour n is n. */
function hours(from: number, to: number): DatasetLike {
  const list = Array.from({ length: to - from }, (_, i) => from + i);
  const twice = list.flatMap((n) => [n, n]);
  const shape = [list.length, 2];
  const bounds = list.flatMap((n) => [hour(n), hour(n + 1)]);
  return {
    coords: {
      time: {
        dims: ["time"],
        data: list.map(hour),
        attrs: { bounds: "time_bnds" },
        encoding: { units: "hours since 2024-01-01", dtype: "int64", chunks: [3] },
      },
      station: { dims: ["station"], data: ["a", "b"] },
    },
    dataVars: {
      t: {
        dims: ["time", "station"],
        shape,
        data: Float64Array.from(twice, (n) => (n === 4 ? Number.NaN : n)),
        attrs: { units: "degC" },
        encoding: { chunks: [3, 2], dtype: "int16", scale_factor: 0.5, add_offset: 1, _FillValue: -1 },
      },
      time_bnds: { dims: ["time", "station"], shape, data: bounds, encoding: { dtype: "int64" } },
      label: { dims: ["time"], data: list.map((n) => `hour ${n}`), encoding: { chunks: [2] } },
      isDay: {
        dims: ["station", "time"],
        shape: [2, list.length],
        data: [...list, ...list].map((n) => n > 5),
      },
      wide: { dims: ["station"], data: Float32Array.of(1, Number.NaN) },
      offset: { dims: [], data: 7 },
    },
  };
}

type Opened = Awaited<ReturnType<typeof openDataset>>;
const listOf = (data: unknown): unknown[] => Array.from(Object(data));
async function contents(dataset: Opened) {
  const found: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(dataset.variables)) {
    const { data, shape } = await variable.get();
    found[name] = {
      shape,
      data: listOf(data),
      encoding: { ...variable.encoding, chunks: [] },
      attrs: variable.attrs,
    };
  }
  return found;
}
const opened = async (values: Map<string, Uint8Array>) => contents(await openDataset(values));

test.each([2, 3] as const)("v%i: in steps as at once", async (zarrFormat) => {
  const whole = new Map<string, Uint8Array>();
  await writeDataset(whole, hours(0, 8), { zarrFormat });
  for (const consolidated of [true, false]) {
    const values = new Map<string, Uint8Array>();
    await writeDataset(values, hours(0, 1), { zarrFormat, consolidated });
    for (const [from, to] of [
      [1, 2],
      [2, 2],
      [2, 7],
      [7, 8],
    ] as const) {
      const group = await appendDataset(values, hours(from, to), { dim: "time" });
      expect(group.path).toBe("/");
      expect((await openDataset(values)).dims).toEqual({ time: to, station: 2 });
    }
    expect(await opened(values)).toEqual(await opened(whole));
    // None are written where there were none.
    const hasAny = zarrFormat === 2 ? values.has("/.zmetadata") : isConsolidated(values);
    expect(hasAny).toBe(consolidated);
  }
});

const isConsolidated = (values: Map<string, Uint8Array>): boolean =>
  new TextDecoder().decode(values.get("/zarr.json")).includes("consolidated_metadata");

test("an opened data set is appended to a group below the root, encoded as that is stored", async () => {
  const source = new Map<string, Uint8Array>();
  const { coords, dataVars } = hours(1, 4);
  const { encoding: _, ...t } = dataVars.t ?? { dims: [], data: [] };
  await writeDataset(source, { coords, dataVars: { ...dataVars, t } } as DatasetLike);
  const values = new Map<string, Uint8Array>();
  await create(values);
  const at = root(values).resolve("a/b");
  await writeDataset(at, hours(0, 1));
  await appendDataset(at, await openDataset(source), { dim: "time" });
  const { variables } = await openDataset(at);
  expect(listOf((await variables.t?.get())?.data)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  expect(variables.t?.array.dtype).toBe("int16");
});

test("stopped at any write, readers see all or nothing, and the same call completes it", async () => {
  const before = new Map<string, Uint8Array>();
  await writeDataset(before, hours(0, 2));
  const old = await opened(before);
  const after = new Map(before);
  let writes = 0;
  const counting = {
    get: (key: AbsolutePath) => after.get(key),
    set: (key: AbsolutePath, value: Uint8Array) => {
      writes++;
      after.set(key, value);
    },
  };
  await appendDataset(counting, hours(2, 5), { dim: "time" });
  const complete = await opened(after);
  expect(writes).toBeGreaterThan(12);
  for (let stop = 0; stop < writes; stop++) {
    const values = new Map(before);
    let left = stop;
    const failing = {
      get: (key: AbsolutePath) => values.get(key),
      set(key: AbsolutePath, value: Uint8Array) {
        if (left-- <= 0) throw new Error("the power went out");
        values.set(key, value);
      },
    };
    const add = (store: Parameters<typeof appendDataset>[0]) =>
      appendDataset(store, hours(2, 5), { dim: "time" });
    await expect(add(failing)).rejects.toMatchObject({ tag: "StoreError" });
    expect(await opened(values)).toEqual(old);
    if (stop === writes - 1) {
      // Only the consolidated metadata are old: this may also be what somebody else has appended.
      await expect(add(values)).rejects.toThrow(/append was interrupted; consolidateMetadata accepts/);
      continue;
    }
    await add(values);
    expect(await opened(values)).toEqual(complete);
  }
});

test("readers of a directory meet no error and no mixture while it grows", async () => {
  const directory = join(folder, "growing.zarr");
  const store = new FileSystemStore(directory);
  await writeDataset(store, hours(10, 12));
  let isDone = false;
  const counts = { reads: 0, grown: 0 };
  const read = async (): Promise<void> => {
    let before = 0;
    while (!isDone) {
      const { dims, variables } = await openDataset(new FileSystemStore(directory));
      const { time = 0 } = dims;
      const t = await variables.t?.get({ time: -1 });
      const label = await variables.label?.get();
      const last = await variables.time?.get({ time: -1 });
      expect(listOf(t?.data)).toEqual([9 + time, 9 + time]);
      expect(listOf(label?.data)).toEqual(Array.from({ length: time }, (_, i) => `hour ${10 + i}`));
      expect(listOf(last?.data)).toHaveLength(1);
      counts.reads++;
      if (time > before) counts.grown++;
      before = time;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const readers = [read()];
  for (let n = 12; n < 20; n++) await appendDataset(store, hours(n, n + 1), { dim: "time" });
  isDone = true;
  await Promise.all(readers);
  expect(counts.reads).toBeGreaterThan(3);
  expect(counts.grown).toBeGreaterThan(2);
});

test("two at once: one after the other", async () => {
  const values = new Map<string, Uint8Array>();
  await writeDataset(values, hours(0, 1));
  const store = new SlowStore(values);
  const one = () => appendDataset(store, hours(1, 2), { dim: "time" });
  await Promise.all([one(), one(), one()]);
  expect((await openDataset(values)).dims.time).toBe(4);
});

const with_ = (changes: Record<string, unknown>, base = hours(1, 3)): DatasetLike =>
  ({ coords: base.coords, dataVars: { ...base.dataVars, ...changes } }) as DatasetLike;
const { dataVars } = hours(1, 3);
const bad: readonly [string, DatasetLike, RegExp, string?][] = [
  ["another dimension", hours(1, 3), /expected one of the dimensions "[a-z]+", "[a-z]+", got "hour"/, "hour"],
  ["a variable is missing", { coords: hours(1, 3).coords, dataVars: {} }, /got none of .*"t"/],
  ["an unknown variable", with_({ x: { dims: ["time"], data: [1, 2] } }), /no variable "x"/],
  [
    "another length",
    with_({ label: { dims: ["time"], data: ["a"] } }),
    /same number of elements .*1 of label/,
  ],
  ["transposed", with_({ t: { ...dataVars.t, dims: ["station", "time"] } }), /dimensions \(time, station\)/],
  ["another shape", with_({ t: { ...dataVars.t, shape: [4, 1] } }), /shape \[any, 2\], got \[4, 1\]/],
  ["fewer elements", with_({ t: { ...dataVars.t, data: Float64Array.of(1) } }), /expected 4 elements/],
  ["does not fit", with_({ t: { ...dataVars.t, data: Float64Array.of(1, 2, 3, 4e9) } }), /t/],
  [
    "times for numbers",
    with_({ t: { ...dataVars.t, data: [1, 2, 3, 4].map(hour) } }),
    /expected elements other than times/,
  ],
  [
    "other labels",
    with_(
      { station: { dims: ["station"], data: ["b", "a"] } },
      { ...hours(1, 3), coords: { time: hours(1, 3).coords?.time ?? { dims: [], data: 0 } } },
    ),
    /equal to the stored ones.*differ/,
  ],
  ["numbers for booleans", with_({ isDay: { ...dataVars.isDay, data: Float64Array.of(1, 2, 3, 4) } }), /./],
  [
    "times that the units do not divide",
    {
      coords: { ...hours(1, 3).coords, time: { dims: ["time"], data: [hour(1), new Date(+hour(1) + 18e5)] } },
      dataVars,
    },
    /expected times that are a whole number of "hours since 2024-01-01"/,
  ],
  [
    "numbers for times",
    { coords: { ...hours(1, 3).coords, time: { dims: ["time"], data: [1, 2] } }, dataVars },
    /expected times, because the variable is stored in "hours since/,
  ],
];
test.each(bad)("refused before anything is written: %s", async (_, given, message, dim = "time") => {
  const values = new Map<string, Uint8Array>();
  await writeDataset(values, hours(0, 1));
  const before = new Map(values);
  await expect(appendDataset(values, given, { dim })).rejects.toMatchObject({
    tag: "InvalidArgumentError",
    reason: expect.stringMatching(message),
  });
  expect(values).toEqual(before);
});

test("an array that somebody else has made longer since is not written over", async () => {
  const values = new Map<string, Uint8Array>();
  await writeDataset(values, hours(0, 1));
  const document = values.get("/zarr.json");
  const time = await open(root(values).resolve("time"), { kind: "array", dtype: "int64" });
  await append(time, { data: BigInt64Array.of(1n), shape: [1] });
  if (document !== undefined) values.set("/zarr.json", document);
  await expect(appendDataset(values, hours(1, 2), { dim: "time" })).rejects.toMatchObject({
    tag: "InvalidMetadataError",
    path: "/time",
  });
});
