/**
 * Run by runtimes.nightly.test.ts in every runtime, as an application would: prints a line for each thing
 * that worked, with a hash of what was stored, so that runtimes can be compared.
 */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { create, get, HttpStore, open, set, slice } from "wazarr";
import { verify } from "wazarr/copy";
import { FileSystemStore } from "wazarr/stores/file-system";
import { LmdbStore } from "wazarr/stores/lmdb";
import { packZip, ZipStore } from "wazarr/stores/zip";
import { WorkerPool } from "wazarr/workers";

/** A folder of its own, and where that is served. */
const [, , folder, url] = process.argv;
const shape = [96, 64, 40];
const layout = { shape, chunkShape: [32, 32, 20] };
/** Deflate is the runtime's own library, so that other bytes come out. */
const CODECS = ["none", "zstd", "blosc", "numcodecs.lz4", "crc32c", "gzip"];

const hash = (bytes) => createHash("sha256").update(bytes).digest("hex").slice(0, 16);
const say = (what, result) => console.log(`${what}: ${result}`);

function values(Type) {
  const next = (i) => ((i * 7919) % 1013) + (i >> 6);
  return Type === BigInt64Array
    ? BigInt64Array.from({ length: 96 * 64 * 40 }, (_, i) => -(2n ** 40n) + BigInt(next(i)))
    : Type.from({ length: 96 * 64 * 40 }, (_, i) => next(i) / (Type === Float64Array ? 7 : 1));
}

function hashOfStore(store) {
  const all = createHash("sha256");
  for (const [key, value] of [...store].sort(([a], [b]) => (a < b ? -1 : 1))) all.update(key).update(value);
  return all.digest("hex").slice(0, 16);
}

function check(what, data, expected) {
  const same = data.length === expected.length && data.every((value, i) => Object.is(value, expected[i]));
  if (!same) throw new Error(`${what}: not what was written`);
}

async function roundTrips() {
  const types = { uint8: Uint8Array, int16: Int16Array, int64: BigInt64Array, float64: Float64Array };
  for (const [dtype, Type] of Object.entries(types)) {
    const data = values(Type);
    for (const name of CODECS) {
      const store = new Map();
      const codecs = name === "none" ? [] : [name];
      const array = await create(store, { ...layout, dtype, codecs, order: "F", endian: "big" });
      await set(array, null, { data, shape });
      check(`${dtype}, ${name}`, (await get(array)).data, data);
      const part = await get(array, [slice(95, 3, -2), 7, slice(1, 40, 3)]);
      say(
        `${dtype}, ${name}`,
        `${name === "gzip" ? "" : hashOfStore(store)} ${hash(new Uint8Array(part.data.buffer, part.data.byteOffset, part.data.byteLength))}`,
      );
    }
  }
  const array = await create(new Map(), { shape: [3], dtype: "string" });
  await set(array, null, { data: ["", "é", "\u{1F600}"], shape: [3] });
  say("strings", [...(await get(array)).data].join());
}

async function withStores() {
  const data = values(Float64Array);
  const sharded = { ...layout, shards: [64, 64, 40], dtype: "float64", codecs: ["zstd"] };
  const files = new FileSystemStore(join(folder, "array.zarr"));
  const database = new LmdbStore(join(folder, "array.lmdb"));
  for (const [name, store] of Object.entries({ files, database })) {
    const array = await create(store, sharded);
    await set(array, null, { data, shape });
    await set(array, [slice(0, 5), 3, null], 1.5);
    const expected = data.slice();
    for (let i = 0; i < 5; i++) expected.fill(1.5, (i * 64 + 3) * 40, (i * 64 + 4) * 40);
    check(name, (await get(array)).data, expected);
    say(name, JSON.stringify(await verify(store, {})));
  }
  await database.close();
  await pipeline(packZip(files), createWriteStream(join(folder, "array.zip")));
  const archive = new ZipStore(new FileSystemStore(folder), "/array.zip");
  const packed = await open(archive, { kind: "array" });
  say("zip", await get(packed, [4, 3, 39]));

  const remote = await open(new HttpStore(`${url}/array.zarr`), { kind: "array" });
  say("http", await get(remote, [4, 3, 39]));
}

/** Chunks that are worth it, from a Map, from files and from shards. */
async function withWorkers() {
  const large = [128, 128, 64];
  const data = Float32Array.from({ length: 128 * 128 * 64 }, (_, i) => (i * 7919) % 1013);
  const workers = new WorkerPool({ size: 2 });
  const places = { map: new Map(), files: new FileSystemStore(join(folder, "workers.zarr")) };
  for (const [name, store] of Object.entries(places)) {
    for (const shards of [undefined, [128, 64, 64]]) {
      const options = {
        shape: large,
        chunkShape: [64, 64, 64],
        shards,
        dtype: "float32",
        codecs: ["zstd"],
        overwrite: true,
      };
      const array = await create(store, options);
      await set(array, null, { data, shape: large }, { workers });
      for (const shared of [false, true])
        check(name, (await get(array, null, { workers, shared })).data, data);
    }
    say(`workers, ${name}`, workers.running);
  }
  await workers.close();
}

say("package", import.meta.resolve("wazarr").endsWith("/dist/index.js"));
await roundTrips();
await withStores();
await withWorkers();
