/**
 * The built package: workers are started from it, as Node cannot run one that is written in TypeScript. `npm
 * test` builds it first.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";

type Api = typeof import("../../src/index.js") &
  typeof import("../../src/main/caches.js") &
  typeof import("../../src/main/copy.js") &
  typeof import("../../src/main/data-types.js");
type Workers = typeof import("../../src/workers/pool.js");

type Files = typeof import("../../src/core/stores/files/file-system.js");

export const dist = (file: string): string => pathToFileURL(resolve("dist", file)).href;
const API_FILES = ["index.js", "caches.js", "copy.js", "data-types.js"];
/** What `wazarr`, `wazarr/caches`, `wazarr/copy` and `wazarr/data-types` export. */
export const loadApi = async (): Promise<Api> =>
  Object.assign({}, ...(await Promise.all(API_FILES.map((file) => import(dist(file))))));
export const loadWorkers = (): Promise<Workers> => import(dist("workers/pool.js"));
export const loadFiles = (): Promise<Files> => import(dist("stores/file-system.js"));

/**
 * Each test has to give workers chunks to decode or encode. A pool takes none below 8 KiB, and a test of such
 * chunks would pass without them.
 */
export function expectTasks(): void {
  const posted = vi.spyOn(Worker.prototype, "postMessage");
  beforeEach(() => void posted.mockClear());
  afterEach(({ task }) => {
    const types = posted.mock.calls.map(([message]) => message.type);
    expect(types, task.name).toSatisfy((all: string[]) =>
      all.some((type) => /^(band|decode|encode)$/.test(type)),
    );
  });
  afterAll(() => posted.mockRestore());
}

/** A pool of two workers, and for each test of a file a folder of its own, which is not there yet. */
export async function useWorkersOnFiles() {
  const { WorkerPool } = await loadWorkers();
  const pool = new WorkerPool({ size: 2 });
  const scratch = mkdtempSync(join(tmpdir(), "wazarr-workers-"));
  let folders = 0;
  expectTasks();
  beforeEach(() => {
    folders++;
  });
  afterAll(async () => {
    await pool.close();
    rmSync(scratch, { recursive: true });
  });
  return { pool, folder: (): string => join(scratch, `${folders}`) };
}

/** Bit by bit, and quickly. */
export function expectSameBytes(got: unknown, expected: Float32Array | Uint8Array): void {
  if (!(got instanceof Float32Array || got instanceof Uint8Array)) throw new Error("expected elements");
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) =>
    Buffer.from(buffer, byteOffset, byteLength);
  expect(Buffer.compare(bytes(got), bytes(expected))).toBe(0);
}
