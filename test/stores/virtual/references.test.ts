/**
 * Chunks are where kerchunk and VirtualiZarr find them: test/fixtures/virtual/references.json, which
 * scripts/oracles/make_virtual_reference_fixtures.py wrote.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isJsonArray, isJsonObject, type JsonObject } from "../../../src/metadata/json.js";
import { openVirtual, references } from "../../../src/stores/virtual/index.js";
import { fromBase64 } from "../../core/codecs/harness.js";
import gribFixtures from "../../fixtures/virtual/grib.json" with { type: "json" };
import tiffFixtures from "../../fixtures/virtual/tiff.json" with { type: "json" };

const FOLDER = "test/fixtures/virtual";
/** Offset and length of each chunk of each array, by library and file. */
type Places = Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
const FILES: Readonly<Record<string, Readonly<Record<string, Places>>>> = JSON.parse(
  readFileSync(`${FOLDER}/references.json`, "utf8"),
);

function bytesOf(name: string): Uint8Array {
  const [, format, inFile] = /^(tiff|grib): (.*)$/.exec(name) ?? [];
  if (format === undefined) return new Uint8Array(readFileSync(`${FOLDER}/${name}`));
  const { cases } = format === "tiff" ? tiffFixtures : gribFixtures;
  const found = cases.find((each) => each.name === inFile);
  if (found === undefined) throw new Error(`expected a fixture ${name}`);
  return fromBase64(found.file);
}

async function referencesOf(name: string): Promise<JsonObject> {
  const bytes = bytesOf(name);
  const store = await openVirtual({
    size: bytes.length,
    read: ({ offset, length }) => bytes.subarray(offset, offset + length),
  });
  const { refs } = await references(store);
  if (!isJsonObject(refs)) throw new TypeError("expected references");
  return refs;
}

/** Files that wazarr splits into chunks of its own: these hold those of the libraries. */
const isSplit = ([name]: readonly [string, unknown]): boolean => /^(tiff|grib): |netcdf3/.test(name);
/**
 * Extensible arrays whose unlimited dimension is not the first. The library of HDF5 lists their chunks under
 * coordinates of others (kerchunk); the elements that it reads are where wazarr finds them (hdf5.test.ts).
 */
const IS_MIXED_UP = /^extensible/;
/** The only variable with records, whose records of three bytes kerchunk takes for four bytes long. */
const IS_PADDED = /^one_record_variable_netcdf3/;

test.each(Object.entries(FILES).filter((each) => !isSplit(each)))("%s", async (name, libraries) => {
  const refs = await referencesOf(name);
  const all = new Set(Object.values(refs).map(String));
  let compared = 0;
  for (const [library, arrays] of Object.entries(libraries))
    for (const [array, chunks] of Object.entries(arrays))
      for (const [chunk, place] of Object.entries(chunks)) {
        const key = `${array}/c${chunk === "" ? "" : `/${chunk.replaceAll(".", "/")}`}`;
        const found = refs[key];
        // VirtualiZarr lists chunks that are not stored, too, with the length 0.
        if (place[1] === 0) continue;
        // Not arrays of wazarr: dimensions without a variable, and types that Zarr does not have. Text and chunks
        // without a filter are in the document.
        if (refs[`${array}/zarr.json`] === undefined || typeof found === "string") continue;
        if (IS_MIXED_UP.test(array)) expect([key, all.has(String([null, ...place]))]).toEqual([key, true]);
        else expect([library, key, found]).toEqual([library, key, [null, ...place]]);
        compared++;
      }
  expect(compared).toBeGreaterThan(0);
});

test.each(Object.entries(FILES).filter((each) => isSplit(each) && !IS_PADDED.test(each[0])))(
  "%s",
  async (name, { kerchunk = {} }) => {
    const refs = await referencesOf(name);
    const found = Object.values(refs).flatMap((each) =>
      isJsonArray(each) ? [each.slice(1).map(Number)] : [],
    );
    for (const places of Object.values(kerchunk))
      for (const [offset = 0, length = 0] of Object.values(places)) {
        // Strips without compression are read together, and records that lie one after the other.
        const isIn = found.some(
          ([start = 0, bytes = 0]) => start <= offset && offset + length <= start + bytes,
        );
        expect([offset, length, isIn]).toEqual([offset, length, true]);
      }
  },
);
