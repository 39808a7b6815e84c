/** Files are added to an index that was written before, without reading the index of its files again. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { get, isZarrError, open, root } from "../../../src/index.js";
import { isJsonObject, type JsonObject } from "../../../src/metadata/json.js";
import { ReferenceStore } from "../../../src/stores/references/reference.js";
import { openVirtual, references } from "../../../src/stores/virtual/index.js";
import { fromBase64 } from "../../core/codecs/harness.js";
import gribFixtures from "../../fixtures/virtual/grib.json" with { type: "json" };
import tiffFixtures from "../../fixtures/virtual/tiff.json" with { type: "json" };
import { random } from "../../fuzz/mutate.js";

/** A file with an address of its own, as a document names it. */
interface Named {
  readonly address: string;
  readonly bytes: Uint8Array;
}

const source = ({ address, bytes }: Named) => ({
  store: new Map([["/a", bytes]]),
  key: "/a" as const,
  address,
});

async function fixture(name: string, address: string): Promise<Named> {
  return { address, bytes: new Uint8Array(await readFile(`test/fixtures/virtual/${name}`)) };
}

/** The store of a document, and the addresses of the files that were read through it. */
function storeOf(document: JsonObject, files: readonly Named[]) {
  const read: string[] = [];
  const store = new ReferenceStore(document, {
    open(address) {
      const found = files.find((file) => file.address === address);
      if (found === undefined) throw new Error(`unexpected file ${address}`);
      read.push(address);
      return source(found);
    },
  });
  return { store, read };
}

const refsOf = ({ refs }: JsonObject): JsonObject => {
  if (!isJsonObject(refs)) throw new TypeError("expected references");
  return refs;
};

test("appended one after the other, files have the index of all at once", async () => {
  const files = await Promise.all(
    ["a", "b", "c"].map((name) => fixture("weather_netcdf4.nc", `/data/${name}.nc`)),
  );
  const [a, b, c] = files.map(source);
  if (a === undefined || b === undefined || c === undefined) throw new Error("expected three files");
  const together = await references(await openVirtual([a, b, c], { concat: "time" }));
  const first = await references(await openVirtual(a));
  const { store, read } = storeOf(first, files);
  const second = await references(await openVirtual([store, b], { concat: "time" }));
  // Only coordinates: the chunks that have to be joined or compared.
  expect([...new Set(read)]).toEqual(["/data/a.nc"]);
  const { store: longer } = storeOf(second, files);
  const third = await references(await openVirtual([longer, c], { concat: "time" }));
  expect(third).toEqual(together);
  const t2m = await open(root(storeOf(third, files).store).resolve("t2m"), { kind: "array" });
  expect(t2m.shape).toEqual([12, 5, 7]);
  expect(await get(t2m, [9, 1, 2])).toBe(35 + 9 - 70);
});

test("an index in which a dimension is new takes files without it", async () => {
  const files = await Promise.all(
    ["a", "b", "c"].map((name) => fixture("weather_netcdf3_classic.nc", `/data/${name}.nc`)),
  );
  const [a, b, c] = files.map(source);
  if (a === undefined || b === undefined || c === undefined) throw new Error("expected three files");
  const together = await references(await openVirtual([a, b, c], { concat: "member" }));
  const { store } = storeOf(await references(await openVirtual([a, b], { concat: "member" })), files);
  expect(await references(await openVirtual([store, c], { concat: "member" }))).toEqual(together);
});

test.each([
  ["TIFF", tiffFixtures.cases],
  ["GRIB", gribFixtures.cases],
] as const)("%s", async (_, cases) => {
  let compared = 0;
  for (const { file } of cases.slice(0, 12)) {
    const files = ["/a", "/b"].map((address) => ({ address, bytes: fromBase64(file) }));
    const [a, b] = files.map(source);
    if (a === undefined || b === undefined) throw new Error("expected two files");
    const both = await openVirtual([a, b], { concat: "run" });
    const together = await references(both).catch((error: unknown) => error);
    if (together instanceof Error) {
      // Compressed strips, of which the last one is shorter.
      expect(together.message).toMatch(/image: expected chunks of one shape/);
      continue;
    }
    const { store } = storeOf(await references(await openVirtual([a], { concat: "run" })), files);
    expect(await references(await openVirtual([store, b], { concat: "run" }))).toEqual(together);
    compared++;
  }
  expect(compared).toBeGreaterThan(6);
});

test("what differs is said, and nothing else than references of Zarr v3 is taken", async () => {
  const weather = await fixture("weather_netcdf4.nc", "/data/a.nc");
  const document = await references(await openVirtual(source(weather)));
  const { store } = storeOf(document, [weather]);
  const record = source(await fixture("weather_netcdf3_classic.nc", "/data/b.nc"));
  const joined = await openVirtual([store, record], { concat: "time" });
  await expect(references(joined)).rejects.toMatchObject({
    tag: "StoreError",
    message: expect.stringMatching(/^a, \/lat: codecs: expected .* as in the first file/),
  });
  const old = new ReferenceStore({ ".zgroup": '{"zarr_format": 2}' });
  await expect(openVirtual([old, record], { concat: "time" })).rejects.toMatchObject({
    tag: "UnsupportedError",
    message: expect.stringContaining("Zarr v3"),
  });
  for (const [key, wrong] of [
    ["t2m/c/0/0/0", ["/data/a.nc"]],
    ["t2m/zarr.json", "[]"],
    ["t2m/zarr.json", "{"],
  ] as const) {
    const damaged = storeOf({ version: 1, refs: { ...refsOf(document), [key]: wrong } }, [weather]);
    await expect(
      openVirtual([damaged.store, source(weather)], { concat: "time" }).then(references),
    ).rejects.toMatchObject({
      tag: expect.stringMatching(/^(?:StoreError|UnsupportedError|InvalidMetadataError)$/),
    });
  }
});

test("attributes that differ without changing an element are said once, and the first ones kept", async () => {
  const weather = await fixture("weather_netcdf4.nc", "/data/a.nc");
  const document = await references(await openVirtual(source(weather)));
  const { "zarr.json": group, "t2m/zarr.json": array } = refsOf(document);
  const other = (text: unknown) =>
    JSON.stringify({ ...JSON.parse(String(text)), attributes: { made: "later" } });
  const changed = { ...refsOf(document), "zarr.json": other(group) };
  const { store } = storeOf({ version: 1, refs: changed }, [weather]);
  const differences: string[] = [];
  const onDifference = (difference: string) => differences.push(difference);
  const joined = await openVirtual([store, source(weather)], { concat: "time", onDifference });
  const refs = refsOf(await references(joined));
  await references(joined);
  expect(JSON.parse(String(refs["zarr.json"])).attributes).toEqual({ made: "later" });
  expect(differences).toContain('a, /: attribute made is none, and "later" in the first file, which is kept');
  expect(new Set(differences).size).toBe(differences.length);
  // Other units would be other elements.
  const units = { ...refsOf(document), "t2m/zarr.json": other(array) };
  const wrong = await openVirtual([storeOf({ version: 1, refs: units }, [weather]).store, source(weather)], {
    concat: "time",
  });
  await expect(references(wrong)).rejects.toThrow(
    /^a, \/t2m: attribute \w+: expected none as in the first file/,
  );
});

test("whatever an index says, files follow it or it is refused", async () => {
  const weather = await fixture("weather_netcdf4.nc", "/data/a.nc");
  const document = await references(await openVirtual(source(weather)));
  const next = random(20_261_129);
  const junk = [null, -1, 0.5, 2 ** 60, "", "time", [], [0], ["time"], [[]], {}, { name: "regular" }, true];
  const pick = <Item>(items: readonly Item[]): Item => {
    const found = items[next(items.length)];
    if (found === undefined) throw new Error("expected an item");
    return found;
  };
  /** Changes one member somewhere in a value. */
  const changed = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null || next(4) === 0) return pick(junk);
    const copy = Array.isArray(value) ? [...value] : { ...value };
    const names = Object.keys(copy);
    if (names.length === 0) return pick(junk);
    const name = pick(names);
    Reflect.set(copy, name, next(6) === 0 ? undefined : changed(Reflect.get(copy, name)));
    return copy;
  };
  let [followed, refused] = [0, 0];
  for (let i = 0; i < 150; i++) {
    const refs = { ...refsOf(document) };
    const keys = Object.keys(refs).filter((key) => next(3) === 0 || key.endsWith("zarr.json"));
    const key = pick(keys);
    const old = refs[key];
    const json = key.endsWith("zarr.json") ? JSON.stringify(changed(JSON.parse(String(old)))) : changed(old);
    const { store } = storeOf(JSON.parse(JSON.stringify({ version: 1, refs: { ...refs, [key]: json } })), [
      weather,
    ]);
    try {
      await references(await openVirtual([store, source(weather)], { concat: pick(["time", "run"]) }));
      followed++;
    } catch (error) {
      if (!isZarrError(error)) throw new Error(`${key}: ${json}`, { cause: error });
      refused++;
    }
  }
  expect(followed).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
});
