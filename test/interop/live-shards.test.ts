/**
 * Sharded arrays of random layouts, both ways: what wazarr writes the other implementations read, what they
 * write wazarr reads, whole and in parts. One that is not installed is said loudly, and its tests count as
 * skipped.
 */

import { beforeAll, describe, expect, it } from "vitest";
import { type AbsolutePath, get, MemoryStore, open, set, slice } from "../../src/index.js";
import { encodeJson } from "../../src/metadata/json-text.js";

import { ask, tensorStore, zarrPython } from "../setup/python.js";
import { readWithZarrs, writeWithZarrs, zarrsExecutable } from "../setup/zarrs.js";
import { bytesFromHex, hexFromBytes } from "./elements.js";
import { type ShardCase, sampleShardCases } from "./shard-cases.js";
import { decodeStore, encodeStore } from "./wazarr.js";

type Values = Map<string, Uint8Array>;
/** Elements as hex, or an error's text. */
type Reading = string;

interface Implementation {
  readonly title: string;
  readonly isThere: boolean;
  /** Whether it is able to: what it refuses is listed in test/engine/shards/README.md. */
  can(each: ShardCase): boolean;
  write(cases: readonly ShardCase[]): Promise<readonly (Values | string)[]>;
  read(stores: readonly Values[]): Promise<readonly Reading[]>;
}

function python(implementation: ReturnType<typeof zarrPython>, can: Implementation["can"]): Implementation {
  return {
    title: implementation.title,
    isThere: implementation.executable !== undefined,
    can,
    async write(cases) {
      const { write } = await ask(implementation, { write: cases, read: [] });
      return write.map((answer) => ("store" in answer ? decodeStore(answer.store) : answer.error));
    },
    async read(stores) {
      const requests = stores.map((store) => ({
        store: encodeStore(store),
        path: "/",
        zarr_format: 3 as const,
      }));
      const { read } = await ask(implementation, { write: [], read: requests });
      return read.map((answer) => ("data" in answer ? answer.data : answer.error));
    },
  };
}

function zarrs(): Implementation {
  const executable = zarrsExecutable();
  return {
    title: "zarrs",
    isThere: executable !== undefined,
    can: () => true,
    async write(cases) {
      if (executable === undefined) return [];
      return cases.map((each, i) => {
        const specification = each.written.map((region) => ({
          path: "/",
          metadata: each.documents["/zarr.json"],
          selection: region,
          data: hexFromBytes(regionBytes(each, region)),
          // Every other one by appending to shards.
          partial: i % 2 === 1,
        }));
        return specification.length === 0 ? emptyArray(each) : writeWithZarrs(executable, specification);
      });
    },
    async read(stores) {
      if (executable === undefined) return [];
      return stores.map((store) => {
        const [answer] = readWithZarrs(executable, store, ["/"]);
        return answer?.data ?? answer?.error ?? "no answer";
      });
    },
  };
}

const emptyArray = ({ documents }: ShardCase): Values =>
  new Map([["/zarr.json", encodeJson(documents["/zarr.json"])]]);

const elementsOf = ({ data }: ShardCase) => new Int16Array(bytesFromHex(data).buffer);

/** Row-major elements of a region. */
function regionBytes(each: ShardCase, region: ShardCase["written"][number]): Uint8Array {
  const elements = elementsOf(each);
  let offsets = [0];
  for (const [d, [start, stop]] of region.entries()) {
    offsets = offsets.flatMap((offset) =>
      Array.from({ length: stop - start }, (_, i) => offset * (each.shape[d] ?? 1) + start + i),
    );
  }
  return new Uint8Array(Int16Array.from(offsets, (offset) => elements[offset] ?? 0).buffer);
}

async function writeHere(each: ShardCase): Promise<Values> {
  const values = emptyArray(each);
  const array = await open(values, { kind: "array" });
  if (!array.is("int16")) throw new Error("expected int16");
  expect([array.chunks, array.shards]).toEqual([each.chunk, each.shard]);
  for (const region of each.written) {
    const data = new Int16Array(regionBytes(each, region).slice().buffer);
    const selection = region.map(([start, stop]) => slice(start, stop));
    await set(array, selection, { data, shape: region.map(([start, stop]) => stop - start) });
  }
  return values;
}

async function readHere(store: Values | MemoryStore): Promise<Reading> {
  const { data } = await get(await open(store, { kind: "array" }));
  if (!(data instanceof Int16Array)) throw new Error("expected int16");
  return hexFromBytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

const COUNT = 50;
const cases = sampleShardCases(COUNT);
const implementations: readonly Implementation[] = [
  // It divides the shard's shape by that of the inner chunks without the transpose that stands before them.
  python(zarrPython(), ({ isTransposedBefore }) => !isTransposedBefore),
  // "Sharding codec is not compatible with subsequent bytes -> bytes codecs that apply to the entire shard."
  python(tensorStore(), ({ isWrapped }) => !isWrapped),
  zarrs(),
];

for (const { title, isThere, can, write, read } of implementations) {
  const able = cases.filter(can);
  describe.skipIf(!isThere)(`${title}, ${able.length} of ${COUNT} arrays`, () => {
    let theirs: readonly (Values | string)[] = [];
    let readings: readonly Reading[] = [];
    beforeAll(async () => {
      const ours = await Promise.all(able.map(writeHere));
      theirs = await write(able);
      readings = await read(ours);
    });

    for (const [i, each] of able.entries()) {
      it(`wazarr -> it: ${each.name}`, () => {
        expect(readings[i]).toBe(each.data);
      });

      it(`it -> wazarr: ${each.name}`, async () => {
        const values = theirs[i];
        if (!(values instanceof Map)) throw new Error(values);
        expect(await readHere(values)).toBe(each.data);
        expect(await readHere(new MemoryStore(values))).toBe(each.data);
        // Here, too, shards of nothing but fill value are not stored.
        expect(chunkKeys(await writeHere(each))).toEqual(chunkKeys(values));
      });
    }
  });
}

/** In one order: stores list theirs in the order of writing. */
function chunkKeys(values: Values): AbsolutePath[] {
  return [...values.keys()]
    .map((key): AbsolutePath => `/${key.slice(1)}`)
    .filter((key) => key.startsWith("/c"))
    .sort();
}
