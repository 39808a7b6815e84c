/**
 * Mutations of files of HDF5, NetCDF, TIFF and GRIB. Whatever such a file says, opening, listing and reading
 * it either work or fail with an error of wazarr, and read no more of the file than there is.
 */
import { readFileSync } from "node:fs";
import { get, isZarrError, open, root, type Store } from "../../src/index.js";
import { openVirtual } from "../../src/stores/virtual/index.js";
import type { VirtualGroup } from "../../src/stores/virtual/port.js";
import { fromBase64 } from "../core/codecs/harness.js";
import gribFixtures from "../fixtures/virtual/grib.json" with { type: "json" };
import tiffFixtures from "../fixtures/virtual/tiff.json" with { type: "json" };
import { mutate, type Random, random } from "./mutate.js";

export interface VirtualFiles {
  readonly name: string;
  readonly files: readonly Uint8Array[];
  /** Where structures begin that name others: most mutations are near these, and some swap them. */
  readonly marks: readonly string[];
}

const HDF5 = [
  "\x89HDF",
  ..."OHDR OCHK TREE SNOD HEAP GCOL FRHP FHDB FHIB BTHD BTLF BTIN FAHD FADB EAHD EAIB EADB EASB".split(" "),
];

const fixtures = (...names: readonly string[]): readonly Uint8Array[] =>
  names.map((name) => new Uint8Array(readFileSync(`test/fixtures/virtual/${name}`)));
const both = (name: string): readonly Uint8Array[] => fixtures(`${name}_earliest.h5`, `${name}_latest.h5`);
const casesOf = (cases: readonly { readonly file: string }[]): Uint8Array[] =>
  cases.map(({ file }) => fromBase64(file)).filter(({ length }) => length < 20_000);

export const VIRTUAL_FILES: readonly VirtualFiles[] = [
  { name: "HDF5, indexes", files: both("every_index"), marks: HDF5 },
  { name: "HDF5, groups", files: [...both("groups"), ...fixtures("tracked_order.h5")], marks: HDF5 },
  {
    name: "HDF5, attributes and dimensions",
    files: [...both("attributes"), ...both("dimensions")],
    marks: HDF5,
  },
  { name: "HDF5, data types", files: [...both("data_types"), ...both("layouts")], marks: HDF5 },
  { name: "NetCDF-4", files: fixtures("weather_netcdf4.nc", "weather_netcdf4_classic.nc"), marks: HDF5 },
  {
    name: "NetCDF-3",
    files: fixtures(
      "weather_netcdf3_classic.nc",
      "weather_netcdf3_64bit_offset.nc",
      "weather_netcdf3_64bit_data.nc",
    ),
    // Lists of dimensions, variables and attributes.
    marks: ["CDF", "\0\0\0\x0a", "\0\0\0\x0b", "\0\0\0\x0c"],
  },
  // Headers, and entries of directories: tag, type and count.
  {
    name: "TIFF",
    files: casesOf(tiffFixtures.cases),
    marks: ["II*\0", "II+\0", "MM\0*", "MM\0+", "\x01\x03\0", "\x01\x04\0", "\0\x03\0\0\0", "\0\x04\0\0\0"],
  },
  // Messages, and sections of their usual lengths: length and number.
  {
    name: "GRIB",
    files: casesOf(gribFixtures.cases),
    marks: ["GRIB", "7777", "\0\0\0\x15\x01", "\0\0\0\x48\x03", "\0\0\0\x22\x04", "\0\0\0\x15\x05"],
  },
];

/** @throws Error with the input in base64 at the first one that fails with another error than wazarr's */
export async function fuzzVirtual(target: VirtualFiles, inputs: number, seed: number) {
  const next = random(seed);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let accepted = 0;
  try {
    for (let i = 0; i < inputs; i++) {
      const input = mutatedFile(target, next);
      const failure = await failureOf(input);
      if (failure === undefined) accepted++;
      else if (!isZarrError(failure)) {
        const text = Buffer.from(input).toString("base64");
        throw new Error(`${target.name}, seed ${seed}, input ${i}: ${failure}: ${text}`, { cause: failure });
      }
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { inputs, accepted };
}

/** A file with one to four changes. */
export function mutatedFile({ files, marks }: VirtualFiles, next: Random): Uint8Array {
  const file = pick(files, next);
  if (next(4) === 0) return mutate(file, pick(files, next), next);
  const copy = file.slice();
  const places = marksOf(file, marks);
  for (let count = 1 + next(4); count > 0; count--) {
    const kind = next(8);
    const near =
      next(4) === 0 ? next(copy.length) : Math.min(copy.length - 1, pick(places, next) + next(120));
    if (kind === 0) redirect(copy, places, next);
    else if (kind === 1) copy.set(hugeNumber(next).subarray(0, copy.length - near), near);
    else copy[near] = pick([0, 1, 255, next(256), next(8)], next);
  }
  return copy;
}

/** Makes what points to one structure point to another: circles, and structures of the wrong kind. */
function redirect(bytes: Uint8Array, places: readonly number[], next: Random): void {
  const target = pick(places, next);
  const known = new Set(places);
  const view = new DataView(bytes.buffer);
  const pointers: number[] = [];
  for (let at = 0; at + 4 <= bytes.length; at++)
    if (known.has(view.getUint32(at, true)) && view.getUint32(at) !== 0) pointers.push(at);
  if (pointers.length > 0) view.setUint32(pick(pointers, next), target, true);
}

/** A length, a count or an offset that no file has. */
function hugeNumber(next: Random): Uint8Array {
  const bytes = new Uint8Array(pick([2, 4, 8], next)).fill(255);
  if (next(2) === 0) bytes[0] = 127;
  if (next(2) === 0) bytes[bytes.length - 1] = next(128);
  return bytes;
}

const MARKS = new WeakMap<Uint8Array, readonly number[]>();

function marksOf(bytes: Uint8Array, marks: readonly string[]): readonly number[] {
  const known = MARKS.get(bytes);
  if (known !== undefined) return known;
  const text = Buffer.from(bytes).toString("latin1");
  const found = [0];
  for (const mark of marks)
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) found.push(at);
  MARKS.set(bytes, found);
  return found;
}

/** Most nodes, keys, and chunks of an array that are read of one input. */
const MOST_NODES = 40;
const MOST_KEYS = 200;
const MOST_CHUNKS = 4;
/** What a file may say that a chunk has, and what a caller with little memory lets it have. */
const DECODED = 16 << 20;

/** Reads all that there is. @returns the first failure that is none of wazarr, or else the first of wazarr */
export async function failureOf(bytes: Uint8Array): Promise<unknown> {
  const failures: unknown[] = [];
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await work();
    } catch (error) {
      failures.push(error);
      return undefined;
    }
  };
  await attempt(() => readEverything(bytes, attempt));
  return failures.find((failure) => !isZarrError(failure)) ?? failures[0];
}

type Attempt = <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;

async function readEverything(bytes: Uint8Array, attempt: Attempt): Promise<void> {
  const store = await openVirtual({
    size: bytes.length,
    read({ offset, length }) {
      if (offset + length > bytes.length) throw new RangeError(`${length} bytes at ${offset} were asked for`);
      return bytes.subarray(offset, offset + length);
    },
  });
  const paths: string[] = [];
  const walk = async (group: VirtualGroup, path: string, depth: number): Promise<void> => {
    await attempt(() => group.document());
    for (const name of (await attempt(() => group.names())) ?? []) {
      if (paths.length === MOST_NODES) return;
      const child = await attempt(() => group.child(name));
      paths.push(`${path}${name}`);
      if (child?.kind === "group" && depth < 4) await walk(child, `${path}${name}/`, depth + 1);
      if (child?.kind !== "array") continue;
      await attempt(async () => {
        let left = MOST_CHUNKS;
        for await (const coordinates of child.chunks()) {
          if (left-- === 0) return;
          const chunk = await child.chunk(coordinates);
          if (chunk === undefined) throw new Error(`no chunk at ${coordinates.join()}, which is listed`);
          await attempt(() => store.bytesOf(chunk));
        }
      });
    }
  };
  await walk(store.rootGroup, "/", 0);
  for (const path of paths) await attempt(() => readEnds(store, path));
  await attempt(async () => {
    let left = MOST_KEYS;
    for await (const _ of store.list()) if (left-- === 0) break;
  });
}

/** The first element and the last: any others would only take time. */
async function readEnds(store: Store, path: string): Promise<void> {
  const node = await open(root(store).resolve(path));
  if (node.kind !== "array" || node.shape.includes(0)) return;
  const options = { maximumDecodedBytes: DECODED };
  await get(
    node,
    node.shape.map(() => 0),
    options,
  );
  await get(
    node,
    node.shape.map((extent) => extent - 1),
    options,
  );
}

function pick<Item>(list: readonly Item[], next: Random): Item {
  const item = list[next(list.length)];
  if (item === undefined) throw new Error("expected something to choose from");
  return item;
}
