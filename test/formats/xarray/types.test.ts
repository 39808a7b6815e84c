/** The types of `wazarr/xarray` and of `dtype` in `create`; where a data set is; how dates are shown. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { expect, expectTypeOf, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import {
  CalendarTimes,
  type DataArray,
  DateTimeArray,
  openDataset,
  writeDataset,
} from "../../../src/formats/xarray.js";
import { create, get, set } from "../../../src/index.js";
import { ChunkCache } from "../../../src/main/caches.js";
import { serve } from "../../core/stores/server.js";

const moments = [new Date("2026-08-01T00:00:00Z"), new Date("2026-08-02T12:00:00Z")];
const DATA = {
  coords: { time: { dims: ["time"], data: moments } },
  dataVars: {
    t: { dims: ["time"], data: Float32Array.of(1.5, 2.5) },
    name: { dims: ["time"], data: ["a", "b"] },
  },
};

test("accessors narrow what a read gives; a read takes a cache", async () => {
  const store = new Map<string, Uint8Array>();
  await writeDataset(store, DATA);
  const { variables } = await openDataset(store);
  const cache = new ChunkCache({ maxBytes: 1 << 20 });
  const numbers = await variables.t?.get({}, { cache });
  expect(numbers?.numbers()).toEqual(Float32Array.of(1.5, 2.5));
  expectTypeOf<DataArray["dates"]>().returns.toEqualTypeOf<Date[]>();
  expect(numbers?.coords.time?.dates()).toEqual(moments);
  expect(numbers?.coords.time?.strings()).toEqual([
    "2026-08-01T00:00:00.000000000",
    "2026-08-02T12:00:00.000000000",
  ]);
  expect((await variables.name?.get())?.strings()).toEqual(["a", "b"]);
  expect(() => numbers?.dates()).toThrow('expected times in "t", got float32');
  expect(() => numbers?.strings()).toThrow('expected strings in "t", got float32');
  expect(() => numbers?.coords.time?.numbers()).toThrow('expected numbers in "time", got datetime64[ns]');
  expect(cache.stats.misses).toBeGreaterThan(0);
});

test("dates are printed as dates", () => {
  const days = new DateTimeArray(new Uint8Array(new BigInt64Array([0n, 1n]).buffer), {
    unit: "D",
    scaleFactor: 1,
  });
  expect(inspect({ days })).toContain("DateTimeArray(2) [ 1970-01-01, 1970-01-02 ]");
  expect(JSON.stringify(days)).toBe('["1970-01-01","1970-01-02"]');
  const many = new DateTimeArray(new Uint8Array(8 * 100), { unit: "D", scaleFactor: 1 });
  expect(inspect(many)).toMatch(/^DateTimeArray\(100\) .*, \.\.\. 80 more \]$/);
  const other = new CalendarTimes("noleap", BigInt64Array.of(0n));
  expect(inspect(other)).toBe("CalendarTimes(1) [ 1970-01-01T00:00:00 ]");
});

test("dtype: numpy's names, typed; misspelt names do not compile", async () => {
  const store = new Map<string, Uint8Array>();
  const times = await create(store, { shape: [1], dtype: "datetime64[ns]" });
  const { data } = await get(times);
  expectTypeOf(data).toEqualTypeOf<DateTimeArray>();
  expect(times.dtype).toBe("numpy.datetime64");
  await set(times, null, 5n);
  const texts = await create(new Map(), { shape: [1], dtype: "U10" });
  expect((await get(texts)).data.get(0)).toBe("");
  expect((await create(new Map(), { shape: [1], dtype: "timedelta64[10us]" })).dtype).toBe(
    "numpy.timedelta64",
  );
  expect((await create(new Map(), { shape: [1], dtype: "S3" })).dataType.itemSize).toBe(3);
  // A name that is known when the program runs.
  const name: string = ["float32"].join();
  expect((await create(new Map(), { shape: [1], dtype: name })).dtype).toBe("float32");
  // @ts-expect-error: no such data type
  await expect(create(new Map(), { shape: [1], dtype: "flaot32" })).rejects.toMatchObject({
    tag: "UnknownDataTypeError",
  });
  // Names of `create` alone: documents that have them are refused.
  const document = { zarr_format: 3, node_type: "array", shape: [1], data_type: "U10" };
  const bytes = new TextEncoder().encode(JSON.stringify(document));
  const { open } = await import("../../../src/index.js");
  await expect(open(new Map([["/zarr.json", bytes]]))).rejects.toMatchObject({ tag: /Error$/ });
});

test("a data set at a URL; what is none of these is a typed error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-where-"));
  await writeDataset(new FileSystemStore(folder), DATA);
  const server = await serve(folder);
  try {
    const { variables } = await openDataset(server.url);
    expect((await variables.t?.get())?.numbers()).toEqual(Float32Array.of(1.5, 2.5));
  } finally {
    await server.close();
    rmSync(folder, { recursive: true });
  }
  await expect(openDataset("ftp://example.com/a.zarr")).rejects.toMatchObject({
    tag: "InvalidArgumentError",
  });
  // @ts-expect-error: JavaScript callers may pass anything
  await expect(openDataset(7)).rejects.toMatchObject({ tag: "InvalidArgumentError" });
  // @ts-expect-error: the same
  await expect(openDataset(undefined)).rejects.toMatchObject({ tag: "InvalidArgumentError" });
});

test("a data set in a directory and in an archive, with the package as it was built", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-where-"));
  try {
    await writeDataset(new FileSystemStore(join(folder, "a.zarr")), DATA);
    const program = `import { openDataset } from "wazarr/xarray";
      import { openStore, rewriteZip } from "wazarr/stores/open-store";
      import { copyNode } from "wazarr/copy";
      process.chdir(${JSON.stringify(folder)});
      await rewriteZip("a.zip", async (store) => void (await copyNode(await openStore("a.zarr"), store)));
      const ds = await openDataset("a.zarr");
      const archived = await openDataset("a.zip");
      console.log(JSON.stringify([archived.dims, ds.dims, (await ds.variables.time.get()).data]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program]);
    expect(JSON.parse(stdout)).toEqual([
      { time: 2 },
      { time: 2 },
      ["2026-08-01T00:00:00.000000000", "2026-08-02T12:00:00.000000000"],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
