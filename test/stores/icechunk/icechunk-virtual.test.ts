import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import type { AbsolutePath } from "../../../src/core/stores/store.js";
import { get, isZarrError, open, root } from "../../../src/index.js";
import { setKernels } from "../../../src/kernels/load.js";
import { decompressZstd } from "../../../src/stores/icechunk/files.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import { CASES, filesOf, HOME, openVirtual, virtualValues } from "../../setup/icechunk-fixtures.js";

const arrayOf = (store: IcechunkStore) =>
  open(root(store).resolve("virtual"), { kind: "array", dtype: "uint16" });

/** How many addresses a repository's manifest has as they are. */
async function addressesIn(files: ReadonlyMap<AbsolutePath, Uint8Array>): Promise<number> {
  const [manifest] = [...files].filter(([key]) => key.startsWith("/manifests/")).map(([, bytes]) => bytes);
  const payload = await decompressZstd(manifest?.subarray(39) ?? new Uint8Array(), 1 << 24);
  return new TextDecoder("latin1").decode(payload).split(HOME).length - 1;
}

test.each([
  [1, true],
  [999, true],
  [1000, false],
] as const)("%i virtual chunks", async (chunks, areAsTheyAre) => {
  const files = filesOf(`virtual-${chunks} 2`);
  // A dictionary has some addresses, too.
  expect((await addressesIn(files)) >= Math.min(chunks, 250)).toBe(areAsTheyAre);
  for (const kernels of ["javascript", "wasm"] as const) {
    setKernels(kernels);
    const opened: string[] = [];
    const store = await IcechunkStore.open(files, { open: openVirtual(chunks, HOME, opened) });
    const { data } = await get(await arrayOf(store));
    expect(data).toEqual(virtualValues(chunks));
    expect(new Set(opened).size).toBe(Math.min(chunks, 250));
  }
  setKernels("auto");
});

const AT = new Date(CASES["checksums 2"].modified);

/**
 * Reads the three chunks of files that a server has with these headers: one without a state, one with an
 * ETag, one with a time.
 */
async function readFiles(headers: Readonly<Record<string, string>>): Promise<string[]> {
  const requests: Request[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request);
    return new Response(Uint8Array.of(8, 9), {
      status: 206,
      headers: { ...headers, "content-range": "bytes 1-2/5", "content-length": "2" },
    });
  };
  const store = await IcechunkStore.open(filesOf("checksums 2"), { fetch });
  const read = async (i: number): Promise<string> => {
    try {
      return String(await store.get(`/a/c/${i}`));
    } catch (error) {
      if (isZarrError(error, "StoreError")) return error.reason;
      throw error;
    }
  };
  const outcomes = await Promise.all([0, 1, 2].map(read));
  // No header that a browser would ask a server for in advance, and no request more.
  expect(requests.map(({ headers: sent }) => [...sent.keys()])).toEqual(requests.map(() => ["range"]));
  expect(requests).toHaveLength(3);
  return outcomes;
}

test("files that are as they were, and those that a server says nothing of", async () => {
  const same = { etag: '"abc"', "last-modified": AT.toUTCString() };
  for (const headers of [same, { ...same, etag: 'W/"abc"' }, {}, { etag: '"abc"' }])
    expect(await readFiles(headers)).toEqual(["8,9", "8,9", "8,9"]);
  // Older than what was noted: nothing has changed since.
  expect(await readFiles({ "last-modified": new Date(0).toUTCString() })).toEqual(["8,9", "8,9", "8,9"]);
});

test("a file that changed is an error that names it and the time", async () => {
  const later = new Date(AT.getTime() + 1000);
  const [first, second, third] = await readFiles({ etag: '"def"', "last-modified": later.toUTCString() });
  expect(first).toBe("8,9");
  expect(second).toBe(
    'reference to "http://files.test/1": expected the ETag "abc", as when this reference was written, got a file that was changed at 2026-11-20T12:00:01.000Z and has the ETag "def": its bytes may have moved; make the references again',
  );
  expect(third).toBe(
    'reference to "http://files.test/2": expected a file last changed at 2026-11-20T12:00:00.000Z, as when this reference was written, got a file that was changed at 2026-11-20T12:00:01.000Z: its bytes may have moved; make the references again',
  );
  const [, alone] = await readFiles({ etag: '"def"' });
  expect(alone).toMatch(/got a file that has the ETag "def": its bytes/);
});

test("a local file that changed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-icechunk-"));
  try {
    writeFileSync(join(folder, "file"), Uint8Array.of(1, 2, 3, 4, 5));
    const open = (address: string) => {
      expect(address).toMatch(/^http:\/\/files\.test\/\d$/);
      return { store: new FileSystemStore(folder), key: "/file" as const };
    };
    const store = await IcechunkStore.open(filesOf("checksums 2"), { open });
    utimesSync(join(folder, "file"), AT, AT);
    expect(await store.get("/a/c/2")).toEqual(Uint8Array.of(2, 3));
    utimesSync(join(folder, "file"), AT, new Date(AT.getTime() + 5000));
    await expect(store.get("/a/c/2")).rejects.toThrow(/was changed at 2026-11-20T12:00:05.000Z/);
    expect(await store.get("/a/c/0")).toEqual(Uint8Array.of(2, 3));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
