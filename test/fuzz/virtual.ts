/**
 * Mutations of files of HDF5 and NetCDF. Whatever such a file says, opening, listing and reading it either
 * work or fail with an error of wazarr, and read no more of the file than there is.
 */
import { readFileSync } from "node:fs";
import { get, isZarrError, open, root, type Store } from "../../src/index.js";
import { openVirtual } from "../../src/stores/virtual/index.js";
import type { VirtualGroup } from "../../src/stores/virtual/port.js";
import { mutate, random } from "./mutate.js";

export interface VirtualFuzz {
  readonly name: string;
  /** Of test/fixtures/virtual. */
  readonly files: readonly string[];
}

const both = (name: string): string[] => [`${name}_earliest.h5`, `${name}_latest.h5`];

export const VIRTUAL_FILES: readonly VirtualFuzz[] = [
  { name: "HDF5, indexes", files: both("every_index") },
  { name: "HDF5, groups", files: [...both("groups"), "tracked_order.h5"] },
  { name: "HDF5, attributes and dimensions", files: [...both("attributes"), ...both("dimensions")] },
  { name: "HDF5, data types", files: [...both("data_types"), ...both("layouts")] },
  { name: "NetCDF-4", files: ["weather_netcdf4.nc", "weather_netcdf4_classic.nc"] },
  {
    name: "NetCDF-3",
    files: ["weather_netcdf3_classic.nc", "weather_netcdf3_64bit_offset.nc", "weather_netcdf3_64bit_data.nc"],
  },
];

const MOST_NODES = 40;
const MOST_KEYS = 200;

/** @throws Error with the input in base64 at the first one that fails with another error than wazarr's */
export async function fuzzVirtual({ name, files }: VirtualFuzz, inputs: number, seed: number) {
  const next = random(seed);
  const originals = files.map((file) => new Uint8Array(readFileSync(`test/fixtures/virtual/${file}`)));
  const pick = (): Uint8Array => originals[next(originals.length)] ?? new Uint8Array(0);
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  let accepted = 0;
  try {
    for (let i = 0; i < inputs; i++) {
      const bytes = pick();
      const input = next(4) === 0 ? mutate(bytes, pick(), next) : changed(bytes, next);
      try {
        await readEverything(input);
        accepted++;
      } catch (error) {
        if (isZarrError(error)) continue;
        const text = Buffer.from(input).toString("base64");
        throw new Error(`${name}, seed ${seed}, input ${i}: ${error}: ${text}`, { cause: error });
      }
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  return { inputs, accepted };
}

/** A copy with a few other bytes, mostly where the metadata are: near the signatures of structures. */
function changed(bytes: Uint8Array, next: (below: number) => number): Uint8Array {
  const copy = bytes.slice();
  const marks = MARKS.get(bytes) ?? marksOf(bytes);
  for (let count = 1 + next(3); count > 0; count--) {
    const mark = marks[next(marks.length)] ?? 0;
    const place = next(4) === 0 ? next(copy.length) : Math.min(copy.length - 1, mark + next(120));
    copy[place] = [0, 1, 255, next(256), next(8)][next(5)] ?? 0;
  }
  return copy;
}

const MARKS = new WeakMap<Uint8Array, readonly number[]>();
const SIGNATURE =
  /\x89HDF|OHDR|OCHK|TREE|SNOD|HEAP|GCOL|FRHP|FHDB|FHIB|BTHD|BTLF|BTIN|FAHD|FADB|EAHD|EAIB|EADB|EASB|CDF/g;

function marksOf(bytes: Uint8Array): readonly number[] {
  const text = Buffer.from(bytes).toString("latin1");
  const marks = [0, ...Array.from(text.matchAll(SIGNATURE), ({ index }) => index)];
  MARKS.set(bytes, marks);
  return marks;
}

async function readEverything(bytes: Uint8Array): Promise<void> {
  const store = await openVirtual({
    size: bytes.length,
    read({ offset, length }) {
      if (offset + length > bytes.length) throw new RangeError(`${length} bytes at ${offset} were asked for`);
      return bytes.subarray(offset, offset + length);
    },
  });
  const failures: unknown[] = [];
  const attempt = async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failures.push(error);
      if (!isZarrError(error)) throw error;
    }
  };
  const paths: string[] = [];
  const walk = async (group: VirtualGroup, path: string, depth: number): Promise<void> => {
    for (const name of await group.names()) {
      if (paths.length === MOST_NODES) return;
      await attempt(async () => {
        const child = await group.child(name);
        paths.push(`${path}${name}`);
        if (child?.kind === "group" && depth < 4) await walk(child, `${path}${name}/`, depth + 1);
      });
    }
  };
  await attempt(() => walk(store.rootGroup, "/", 0));
  for (const path of paths) await attempt(() => readSome(store, path));
  await attempt(async () => {
    let left = MOST_KEYS;
    for await (const _ of store.list()) if (left-- === 0) break;
  });
  // One of them stands for all: each is of wazarr.
  if (failures.length > 0) throw failures[0];
}

/** The first element and the last: any others would only take time. */
async function readSome(store: Store, path: string): Promise<void> {
  const node = await open(root(store).resolve(path));
  if (node.kind !== "array" || node.shape.includes(0)) return;
  await get(
    node,
    node.shape.map(() => 0),
  );
  await get(
    node,
    node.shape.map((extent) => extent - 1),
  );
}
