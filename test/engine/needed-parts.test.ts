/** What is read of blosc chunks of which a few blocks are needed. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import type { AbsolutePath, OpenValue, Store } from "../../src/core/stores/store.js";
import { setKernels } from "../../src/extend.js";
import {
  create,
  get,
  getCoordinates,
  getOrthogonal,
  isZarrError,
  open,
  type Selection,
  set,
  slice,
} from "../../src/index.js";
import { loadKernels } from "../../src/kernels/load.js";
import { opened } from "./opened.js";
import { positions } from "./reference.js";

afterAll(() => setKernels("auto"));

/** Values of a Map that are opened at once, and how many bytes of chunks are read. */
class OpenStore implements Store {
  readonly kind = "files";
  readonly values: Map<string, Uint8Array>;
  bytes = 0;
  open = 0;

  constructor(values: Map<string, Uint8Array>) {
    this.values = values;
  }

  get(key: AbsolutePath): Uint8Array | undefined {
    const value = this.values.get(key);
    if (!key.endsWith("zarr.json")) this.bytes += value?.length ?? 0;
    return value;
  }

  getRange(): never {
    throw new Error("nobody asks for one range");
  }

  openNow(key: AbsolutePath): OpenValue | undefined {
    const value = this.values.get(key);
    return value && opened(value, this);
  }
}

/** Chunks of 8 planes of 320 KiB in blocks of 64 KiB. */
const SHAPE = [11, 320, 256];
const CHUNK_SHAPE = [8, 320, 256];
const BLOCK = 64 << 10;
const elements = Float32Array.from({ length: 11 * 320 * 256 }, (_, i) => Math.round(i / 7) + (i % 13) / 8);

interface Layout {
  readonly cname: string;
  readonly shuffle: string;
  readonly order?: "C" | "F";
  readonly endian?: "little" | "big";
  readonly zarrFormat?: 2;
}

const encoded = new Map<string, Promise<Map<string, Uint8Array>>>();

/** A new Map each time, of values made once. */
async function write(layout: Layout): Promise<Map<string, Uint8Array>> {
  const name = JSON.stringify(layout);
  let made = encoded.get(name);
  if (made === undefined) {
    made = (async () => {
      const { cname, shuffle, ...options } = layout;
      const values = new Map<string, Uint8Array>();
      const configuration = { cname, shuffle, clevel: 1, typesize: 4, blocksize: BLOCK / 4 };
      const codecs = [{ name: "blosc", configuration }];
      const array = { ...options, shape: SHAPE, chunkShape: CHUNK_SHAPE, dtype: "float32", codecs } as const;
      await set(await create(values, array), null, { data: elements, shape: SHAPE });
      return values;
    })();
    encoded.set(name, made);
  }
  return new Map(await made);
}

/** What was decoded before must not be taken for what was not read. */
async function poison(): Promise<void> {
  const kernels = await loadKernels();
  kernels.begin(1 << 22);
  kernels.allocate(1 << 22).fill(0xaa);
}

async function read(store: Store, selection: Selection): Promise<Float32Array> {
  const array = await open(store, { kind: "array" });
  await array.prepare();
  await poison();
  const result: unknown = await get(array, selection);
  if (typeof result === "number") return Float32Array.of(result);
  const data = typeof result === "object" && result !== null && "data" in result ? result.data : undefined;
  if (data instanceof Float32Array) return data;
  throw new TypeError("expected float32");
}

const wantedOf = (selection: Selection): Float32Array =>
  Float32Array.from(positions(selection, SHAPE), (at) => elements[at] ?? 0);

const SELECTIONS: readonly Selection[] = [
  [3, null, null],
  [null, 5, 5],
  [null, slice(100, 110), slice(7, 9)],
  [slice(null, null, 3), slice(null, null, -40), null],
  [slice(null, null, -4), null, 3],
  [9, 319, 255],
];

describe.each(["wasm", "javascript"] as const)("with %s kernels", (kernels) => {
  beforeEach(() => setKernels(kernels));

  const layouts: readonly Layout[] = [
    { cname: "lz4", shuffle: "shuffle" },
    { cname: "lz4", shuffle: "noshuffle" },
    { cname: "zstd", shuffle: "bitshuffle", endian: "big" },
    { cname: "blosclz", shuffle: "shuffle", order: "F" },
    { cname: "zlib", shuffle: "shuffle", zarrFormat: 2 },
  ];
  test.each(layouts)("less than half of the bytes: %o", async (layout) => {
    const values = await write(layout);
    const all = [...values.values()].reduce((sum, { length }) => sum + length, 0);
    for (const selection of SELECTIONS) {
      const store = new OpenStore(values);
      expect(await read(store, selection)).toEqual(wantedOf(selection));
      expect(store.open).toBe(0);
      // In F order planes of the first dimension are everywhere.
      if (layout.order !== "F") expect(store.bytes).toBeLessThan(all / 2);
    }
  });

  test("chosen elements", async () => {
    const values = await write({ cname: "lz4", shuffle: "shuffle" });
    const all = values.get("/c/0/0/0")?.length ?? 0;
    const store = new OpenStore(values);
    const array = await open(store, { kind: "array" });
    const at = (i: number, j: number, k: number) => elements[(i * 320 + j) * 256 + k] ?? 0;

    await poison();
    const points = await getCoordinates(array, [6, [40, 31, 40], [0, 255, 5]]);
    expect(points.data).toEqual(Float32Array.of(at(6, 40, 0), at(6, 31, 255), at(6, 40, 5)));
    expect(store.bytes).toBeLessThan(all / 4);

    store.bytes = 0;
    await poison();
    const rows = await getOrthogonal(array, [[5, 1, 9], 319, [3, 3]]);
    expect(rows.data).toEqual(Float32Array.from([5, 5, 1, 1, 9, 9], (i) => at(i, 319, 3)));
    expect(store.bytes).toBeLessThan(all);
  });
});

test("files, decoded twice", async () => {
  const directory = await mkdtemp(join(tmpdir(), "wazarr-needed-"));
  try {
    const store = new FileSystemStore(directory);
    for (const [key, value] of await write({ cname: "zstd", shuffle: "shuffle" })) {
      if (key.startsWith("/")) await store.set(`/${key.slice(1)}`, value);
    }
    for (const selection of [...SELECTIONS, ...SELECTIONS]) {
      expect(await read(new FileSystemStore(directory), selection)).toEqual(wantedOf(selection));
    }
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("an absent chunk is the fill value", async () => {
  const values = await write({ cname: "lz4", shuffle: "shuffle" });
  values.delete("/c/0/0/0");
  const wanted = wantedOf([null, 5, 5]).map((value, i) => (i < 8 ? 0 : value));
  expect(await read(new OpenStore(values), [null, 5, 5])).toEqual(wanted);
});

test("blocks in another order than that of their elements", async () => {
  const values = await write({ cname: "lz4", shuffle: "shuffle" });
  const chunk = values.get("/c/0/0/0") ?? new Uint8Array();
  const blocks = (8 * 320 * 256 * 4) / BLOCK;
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
  const begins = Array.from({ length: blocks }, (_, i) => view.getUint32(16 + 4 * i, true));
  const reordered = chunk.slice();
  const table = new DataView(reordered.buffer);
  let at = 16 + 4 * blocks;
  // As threads of c-blosc finish them.
  for (let i = 0; i < blocks; i++) {
    const block = (7 * i) % blocks;
    const bytes = chunk.subarray(begins[block], begins[block + 1] ?? chunk.length);
    reordered.set(bytes, at);
    table.setUint32(16 + 4 * block, at, true);
    at += bytes.length;
  }
  expect(at).toBe(chunk.length);
  values.set("/c/0/0/0", reordered);
  for (const selection of SELECTIONS) {
    const store = new OpenStore(values);
    expect(await read(store, selection)).toEqual(wantedOf(selection));
    expect(store.bytes).toBeLessThan(chunk.length);
  }
});

test("chunks that were stored as they are", async () => {
  const noise = Float32Array.from({ length: 8 * 320 * 256 }, () => Math.random());
  const values = new Map<string, Uint8Array>();
  const codecs = [{ name: "blosc", configuration: { cname: "lz4", clevel: 0, shuffle: "noshuffle" } }];
  const options = { shape: CHUNK_SHAPE, chunkShape: CHUNK_SHAPE, dtype: "float32", codecs } as const;
  await set(await create(values, options), null, noise);
  const plane = noise.subarray(3 * 320 * 256, 4 * 320 * 256);
  expect(await read(new OpenStore(values), [3, null, null])).toEqual(plane);
});

/** What is wrong with a chunk is said as if all of it had been read, and what nobody looks at is not. */
test.each(["shuffle", "noshuffle"])(
  "damaged chunks read as from a Map: %s",
  async (shuffle) => {
    const layout: Layout = { cname: "lz4", shuffle };
    const whole = (await write(layout)).get("/c/0/0/0") ?? new Uint8Array();
    const blocks = (8 * 320 * 256 * 4) / BLOCK;
    const view = new DataView(whole.buffer, whole.byteOffset, whole.length);
    const begin = (block: number): number => view.getUint32(16 + 4 * block, true);
    const change = (edit: (bytes: Uint8Array, view: DataView) => void): Uint8Array => {
      const bytes = whole.slice();
      edit(bytes, new DataView(bytes.buffer));
      return bytes;
    };
    const damaged: Uint8Array[] = [
      whole.subarray(0, 10),
      whole.subarray(0, whole.length - 1),
      new Uint8Array(0),
      // A stream that reaches into the next block, and one that ends behind the chunk.
      change((_, view) => view.setUint32(begin(0), begin(1), true)),
      change((_, view) => view.setUint32(begin(0), 2 ** 31, true)),
      // The same of a stored one, which is whatever stands there.
      change((_, view) => view.setUint32(begin(0), BLOCK, true)),
      // Blocks at the same place, in the table, and behind the end.
      change((_, view) => view.setUint32(16 + 4 * 1, begin(0), true)),
      change((_, view) => view.setUint32(16, 18, true)),
      change((_, view) => view.setUint32(16 + 4 * (blocks - 1), whole.length, true)),
      change((_, view) => view.setUint32(16 + 4, 2 ** 32 - 4, true)),
      // Another length, block size, and header.
      change((_, view) => view.setUint32(4, 4096, true)),
      change((_, view) => view.setUint32(8, 4096, true)),
      change((bytes) => bytes.fill(9, 0, 1)),
      change((bytes) => bytes.fill(2, 2, 3)),
    ];
    // Bytes anywhere in the header, the table and the streams.
    for (let i = 0; i < 150; i++) {
      const at = i % 2 === 0 ? (i * 7) % (16 + 4 * blocks) : (begin(i % blocks) + (i >> 3)) % whole.length;
      damaged.push(change((bytes) => bytes.fill((bytes[at] ?? 0) ^ (1 << (i % 8)), at, at + 1)));
    }
    const outcome = async (store: Store, selection: Selection): Promise<unknown> =>
      read(store, selection).catch((error: unknown) =>
        isZarrError(error) ? [error.tag, error.message] : error,
      );
    let failures = 0;
    for (const chunk of damaged) {
      const values = (await write(layout)).set("/c/0/0/0", chunk);
      for (const selection of [
        [3, null, null],
        [slice(0, 8), 5, 5],
      ] satisfies Selection[]) {
        const store = new OpenStore(values);
        const [parts, wholes] = [await outcome(store, selection), await outcome(values, selection)];
        expect(store.open).toBe(0);
        if (parts instanceof Float32Array && wholes instanceof Float32Array) {
          // Said by the first element, where they differ: comparing all takes 0.1 s.
          const difference = parts.findIndex((value, k) => !Object.is(value, wholes[k]));
          expect([difference, parts.length]).toEqual([-1, wholes.length]);
        } else {
          expect(parts).toEqual(wholes);
          failures++;
        }
      }
    }
    expect(failures).toBeGreaterThan(40);
  },
  60_000,
);
