/**
 * GRIB, pcodec, zfp, TIFF's codecs and images in workers, which load what decodes them: the values of Python.
 * test/interop/live-archives.nightly.test.ts has 200 chunks of each.
 */
import { expect, test } from "vitest";
import {
  type ArchiveCase,
  fieldCase,
  imageCase,
  messageCase,
  numbersCase,
  tileCase,
} from "../codecs/archives/archive-cases.js";
import { imageCases } from "../codecs/images/image-cases.js";
import { inShard, inV2, inV3 } from "../core/codecs/stored-chunks.js";
import long from "../fixtures/codecs/long.json" with { type: "json" };
import { SlowStore } from "../setup/stores.js";
import { expectSameBytes, loadApi, loadWorkers } from "./dist.js";

const api = await loadApi();
const { WorkerPool } = await loadWorkers();

const CASES: readonly ArchiveCase[] = [
  ...long.messages.map(messageCase),
  ...long.pcodec.map(numbersCase),
  ...long.zfp.map(fieldCase),
  ...long.tiff.map(tileCase),
  ...imageCases({ cases: long.images }).map(imageCase),
];

/** So many bytes that a pool takes them: it leaves less to the calling thread. */
const BAND = 65536;

test.each(CASES)("$name, in v2, v3 and a shard", async (each) => {
  const times = Math.ceil(BAND / each.values.length);
  const expected = new Uint8Array(times * each.values.length);
  for (let i = 0; i < times; i++) expected.set(each.values, i * each.values.length);
  for (const values of [inV2, inV3, inShard].map((form) => form(each, times))) {
    const pool = new WorkerPool({ size: 1 });
    try {
      const store = new SlowStore(values);
      const { data } = await api.get(await api.open(store, { kind: "array" }), null, { workers: pool });
      expect(pool.running).toBe(1);
      if (!ArrayBuffer.isView(data)) throw new Error("expected a typed array");
      expectSameBytes(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), expected);
    } finally {
      await pool.close();
    }
  }
});
