/** Workers convert what they decode: the same elements and statistics come as without them. */
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { SlowStore } from "../setup/stores.js";
import { expectSameBytes, loadApi, loadFiles, useWorkersOnFiles } from "./dist.js";

const api = await loadApi();
const { FileSystemStore } = await loadFiles();
const { pool, folder } = await useWorkersOnFiles();
const posted = vi.spyOn(Worker.prototype, "postMessage");

const SIDE = 512;
const LAYOUTS = {
  gzip: { codecs: ["gzip"], chunkShape: [256, 256] },
  "big-endian zstd in order F": { codecs: ["zstd"], chunkShape: [200, 300], endian: "big", order: "F" },
  "shards of gzip": { codecs: ["gzip"], chunkShape: [128, 256], shards: [512, 512] },
  "chunks of different shapes": { codecs: ["zlib"], chunkShape: [[200, 312], [512]] },
} as const;
const STORES = {
  memory: () => new SlowStore(),
  files: () => new FileSystemStore(folder()),
};

test.each(Object.keys(STORES).flatMap((kind) => Object.keys(LAYOUTS).map((layout) => ({ kind, layout }))))(
  "from $kind, $layout",
  async ({ kind, layout }) => {
    const store = kind === "files" ? STORES.files() : STORES.memory();
    const [, options = LAYOUTS.gzip] = Object.entries(LAYOUTS).find(([name]) => name === layout) ?? [];
    const array = await api.create(store, { shape: [SIDE, SIDE], dtype: "int16", fillValue: -5, ...options });
    // Chunks below stay missing.
    const data = Int16Array.from(
      { length: 300 * SIDE },
      (_, i) => Math.round(Math.sin(i / 50) * 100) + (i % 7),
    );
    await api.set(array, [api.slice(0, 300), null], { data, shape: [300, SIDE] });
    const selection = [api.slice(3, 500), api.slice(511, 8, -2)] as const;
    for (const { as, shared } of [
      { as: "float32", shared: false },
      { as: "uint8", shared: true },
    ] as const) {
      const statistics = { bins: 10, range: [-50, 0] } as const;
      const drawing = { as, missing: [-5, 3], scale: 0.1, offset: -2, statistics } as const;
      const alone = await api.get(array, selection, drawing);
      posted.mockClear();
      const result = await api.get(array, selection, { ...drawing, workers: pool, shared });
      const converted = posted.mock.calls.filter(([message]) => message.conversion?.to !== undefined);
      expect(converted.length).toBeGreaterThan(0);
      expectSameBytes(result.data, alone.data);
      expect(result.statistics).toEqual(alone.statistics);
      expect(result.statistics.count).toBeGreaterThan(1000);
    }
  },
);
