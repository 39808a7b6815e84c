/** `openVirtual`: where files come from, how little of them is read, several files, and references. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { isJsonObject } from "../../../src/extend.js";
import { get, open, root } from "../../../src/index.js";
import { openStore } from "../../../src/stores/addresses/open-store.js";
import { openVirtual, references, writeReferences } from "../../../src/stores/virtual/index.js";

const FOLDER = "test/fixtures/virtual";
const FILE = `${FOLDER}/weather_netcdf4.nc`;

async function t2m(store: Awaited<ReturnType<typeof openStore>>) {
  return (await get(await open(root(store).resolve("t2m"), { kind: "array" }))).data;
}

test("a path, a Blob, a value of a store and anything with a size are files", async () => {
  const bytes = new Uint8Array(await readFile(FILE));
  const expected = Int16Array.from({ length: 140 }, (_, i) => i - 70);
  const read = ({ offset, length }: { offset: number; length: number }) =>
    bytes.subarray(offset, offset + length);
  expect(await t2m(await openStore(FILE))).toEqual(expected);
  expect(await t2m(await openVirtual(new Blob([bytes])))).toEqual(expected);
  expect(await t2m(await openVirtual({ store: new Map([["/x.bin", bytes]]), key: "/x.bin" }))).toEqual(
    expected,
  );
  expect(await t2m(await openVirtual({ size: bytes.length, read }))).toEqual(expected);
});

test("the first bytes say what a file is", async () => {
  const store = new Map([["/x.nc", new TextEncoder().encode("hello world")]]);
  await expect(openVirtual({ store, key: "/x.nc" })).rejects.toMatchObject({
    tag: "UnsupportedError",
    message: expect.stringContaining("68 65 6c 6c 6f"),
  });
  await expect(openVirtual({ store, key: "/y.nc" })).rejects.toMatchObject({ tag: "StoreError" });
  await expect(openVirtual([], { concat: "time" })).rejects.toMatchObject({ tag: "InvalidArgumentError" });
});

test("one variable of a long file costs few requests, and ranges alone", async () => {
  const bytes = new Uint8Array(await readFile(`${FOLDER}/many_chunks_earliest.h5`));
  const requests: number[] = [];
  const store = await openVirtual({
    size: bytes.length,
    read({ offset, length }) {
      requests.push(length);
      return bytes.subarray(offset, offset + length);
    },
  });
  const array = await open(root(store).resolve("fixed"), { kind: "array" });
  await get(array, [0]);
  expect(requests.length).toBeLessThanOrEqual(6);
});

test("references are byte ranges that another store reads", async () => {
  const store = await openVirtual({
    store: new Map([["/a", new Uint8Array(await readFile(FILE))]]),
    key: "/a",
  });
  const target = new Map<string, Uint8Array>();
  await writeReferences(store, { store: target, key: "/refs.json" });
  const document = JSON.parse(new TextDecoder().decode(target.get("/refs.json")));
  expect(document).toEqual(JSON.parse(JSON.stringify(await references(store))));
  expect(document.refs["t2m/c/0/0/0"]).toEqual([null, expect.any(Number), expect.any(Number)]);
  // Text is elsewhere in the file, so it is in the document.
  expect(document.refs["run/member/label/c/0"]).toMatch(/^base64:/);
  const { ReferenceStore } = await import("../../../src/stores/references/reference.js");
  const file = { store: new Map([["/a", new Uint8Array(await readFile(FILE))]]), key: "/a" as const };
  const again = new ReferenceStore(document, { target: "file.nc", open: () => file });
  expect(await t2m(again)).toEqual(Int16Array.from({ length: 140 }, (_, i) => i - 70));
});

test("chunks are where kerchunk finds them", async () => {
  const expected: Record<string, readonly number[]> = JSON.parse(
    await readFile(`${FOLDER}/weather_netcdf4.kerchunk.json`, "utf8"),
  );
  const store = await openVirtual(new Blob([await readFile(FILE)]));
  const { refs } = await references(store);
  if (!isJsonObject(refs)) throw new TypeError("expected references");
  let compared = 0;
  for (const [key, range] of Object.entries(expected)) {
    const [, array = "", chunk = ""] = /^(.*)\/([\d.]+)$/.exec(key) ?? [];
    const found = refs[`${array}/c/${chunk.replaceAll(".", "/")}`] ?? refs[`${array}/c`];
    // kerchunk has dimensions without a variable, too.
    if (found === undefined && /letters/.test(key)) continue;
    expect([key, found]).toEqual([key, [null, ...range]]);
    compared++;
  }
  expect(compared).toBeGreaterThan(5);
});

test("files are joined along a dimension, and refused if they differ", async () => {
  const file = async (name: string) => ({
    store: new Map([["/a", new Uint8Array(await readFile(`${FOLDER}/${name}`))]]),
    key: "/a" as const,
  });
  const weather = await file("weather_netcdf4.nc");
  const store = await openVirtual([weather, weather], { concat: "time" });
  const array = await open(root(store).resolve("t2m"), { kind: "array" });
  expect(array.shape).toEqual([8, 5, 7]);
  const { data } = await get(array, [6, 1, 2]).then((value) => ({ data: value }));
  expect(data).toBe(2 * 35 + 9 - 70);
  // Chunks of 512 that do not end where the file does, as netCDF makes them.
  const time = await open(root(store).resolve("time"), { kind: "array" });
  expect((await get(time)).data).toEqual(new Float64Array([0, 6, 12, 18, 0, 6, 12, 18]));
  const lat = await open(root(store).resolve("lat"), { kind: "array" });
  expect(lat.shape).toEqual([5]);
  const other = await openVirtual([weather, await file("weather_netcdf3_classic.nc")], { concat: "time" });
  await expect(open(root(other).resolve("t2m"))).rejects.toMatchObject({
    tag: "StoreError",
    message: expect.stringContaining("chunk_grid: expected"),
  });
  const members = await openVirtual([weather, weather], { concat: "member" });
  const stacked = await open(root(members).resolve("t2m"), { kind: "array" });
  expect(stacked.shape).toEqual([2, 4, 5, 7]);
  expect(stacked.metadata.dimensionNames).toEqual(["member", "time", "lat", "lon"]);
});
