// Copies 1 GiB of planes into other chunks, in a process of its own, and says how much memory that took: see
// memory.test.ts and memory.nightly.test.ts.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { copyNode } from "../../dist/copy.js";
import { create } from "../../dist/index.js";
import { FileSystemStore } from "../../dist/stores/file-system.js";

/** Chunks, and shards if there are any, of the target. */
const layout = JSON.parse(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "wazarr-copy-"));
const plane = new Float32Array(512 * 512).map((_, i) => i % 1009);
const documents = new Map();
const shape = [1024, 512, 512];
await create(documents, { shape, chunkShape: [1, 512, 512], codecs: [], dtype: "float32" });
writeFileSync(join(folder, "zarr.json"), documents.get("/zarr.json"));
writeFileSync(join(folder, "value"), plane);
for (let i = 0; i < shape[0]; i++) {
  mkdirSync(join(folder, "c", String(i), "0"), { recursive: true });
  symlinkSync("../../../value", join(folder, "c", String(i), "0", "0"));
}
let stored = 0;
const values = new Map();
/** Keeps nothing of the chunks. */
const target = {
  copiesValues: true,
  get: (key) => values.get(key),
  set(key, value) {
    if (key.endsWith(".json")) values.set(key, value.slice());
    else stored += value.length;
  },
};
for (let i = 0; i < 3; i++) globalThis.gc();
const before = process.memoryUsage().rss;
let told;
await copyNode(new FileSystemStore(folder), target, {
  ...layout,
  onProgress(progress) {
    told = progress;
  },
});
console.log(JSON.stringify({ beyond: process.resourceUsage().maxRSS * 1024 - before, stored, told }));
rmSync(folder, { recursive: true });
