import { zipSync } from "fflate";
import { describe, expect, it, vi } from "vitest";
import { MemoryStore } from "../../../src/core/stores/memory.js";
import type { AbsolutePath, RangeQuery, Readable, Store } from "../../../src/core/stores/store.js";
import { readDirectory } from "../../../src/stores/zip/entries.js";
import { directoryRecord, endRecords } from "../../../src/stores/zip/pack.js";
import { packZip, ZipStore } from "../../../src/stores/zip/zip.js";
import { type Conformance, describeStore, expectBytes, pattern } from "../conformance.js";
import { type BuiltEntry, buildZip, concatenate } from "./builder.js";

const readOnly: Conformance = {
  canWrite: false,
  canDelete: false,
  canList: true,
  isExact: true,
  tells: ["length"],
};

async function pack(store: Store): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of packZip(store)) pieces.push(piece);
  return concatenate(pieces);
}

const open = (archive: Uint8Array) => new ZipStore(new Map([["/a.zip", archive]]), "/a.zip");

const built = (values: ReadonlyMap<AbsolutePath, Uint8Array>, more: Partial<BuiltEntry> = {}) =>
  [...values].map(([key, value]) => ({ name: key.slice(1), value, ...more }));

describeStore("ZipStore, packed", async (values) => open(await pack(new Map(values))), readOnly);
describeStore("ZipStore, deflated", (values) => open(buildZip(built(values, { deflate: true }))), readOnly);
describeStore(
  "ZipStore, zip64, in a blob",
  (values) => {
    const archive = buildZip(built(values, { zip64: true, localExtra: 300 }), {
      zip64: true,
      comment: "PK\x05\x06",
    });
    return ZipStore.fromBlob(new Blob([archive.slice()]));
  },
  readOnly,
);

/** A store that records which ranges are read of it. */
function recording(archive: Uint8Array): Readable & { ranges: RangeQuery[] } {
  const store = new MemoryStore(new Map([["/a.zip", archive]]));
  const ranges: RangeQuery[] = [];
  return {
    ranges,
    get: () => expect.unreachable("the whole archive was read"),
    getRange(key, range) {
      ranges.push(range);
      return store.getRange(key, range);
    },
  };
}

describe("ZipStore", () => {
  it("makes one request for the directory and one for each value or range", async () => {
    const archive = buildZip([
      { name: "zarr.json", value: pattern(100), deflate: true },
      { name: "c/0", value: pattern(200_000), localExtra: 20 },
      { name: "c/1", value: pattern(200_000, 2) },
      { name: "padded", value: pattern(50), localExtra: 4000 },
      { name: "last", value: pattern(100_000) },
    ]);
    const source = recording(archive);
    const store = new ZipStore(source, "/a.zip");
    const requests = async (action: () => Promise<unknown>) => {
      source.ranges.length = 0;
      await action();
      return source.ranges.length;
    };
    expect(await requests(() => store.list())).toBe(1);
    expect(
      await requests(() => Promise.all([store.get("/missing"), store.listDir("/"), store.has("/c/0")])),
    ).toBe(0);
    expect(await requests(() => store.get("/zarr.json"))).toBe(1);
    expect(await requests(() => store.get("/zarr.json"))).toBe(0);
    expect(await requests(() => store.get("/padded"))).toBe(2);
    expect(await requests(() => store.get("/padded"))).toBe(1);
    // The place of the value's bytes is in its local header, which is read once.
    expect(await requests(() => store.getRange("/c/0", { offset: 100, length: 10 }))).toBe(2);
    expect(await requests(() => store.getRange("/c/0", { suffixLength: 10 }))).toBe(1);
    expect(source.ranges).toEqual([{ offset: expect.any(Number), length: 10 }]);
    expectBytes(await store.getRange("/c/0", { suffixLength: 10 }), pattern(200_000).subarray(199_990));
    // It can be nowhere else where there is no room for further fields.
    expect(await requests(() => store.getRange("/c/1", { suffixLength: 10 }))).toBe(1);
    expectBytes(await store.getRange("/c/1", { offset: 7, length: 9 }), pattern(200_000, 2).subarray(7, 16));
  });

  it("reads small values that are wanted at the same time, and documents, together", async () => {
    const values = Array.from({ length: 20 }, (_, i) => ({ name: `c/${i}`, value: pattern(9000, i) }));
    const documents = Array.from({ length: 30 }, (_, i) => ({
      name: `a${i}/.zarray`,
      value: pattern(900, i),
    }));
    const archive = buildZip([...documents, ...values, { name: "last", value: pattern(200_000) }]);
    const source = recording(archive);
    const store = new ZipStore(source, "/a.zip");
    await store.list();
    source.ranges.length = 0;
    const got = await Promise.all(values.map(({ name }) => store.get(`/${name}`)));
    for (const [i, { value }] of values.entries()) expectBytes(got[i], value);
    expect(source.ranges).toHaveLength(1);
    source.ranges.length = 0;
    for (const { name, value } of documents) expectBytes(await store.get(`/${name}`), value);
    expect(source.ranges).toHaveLength(1);
  });

  it("aborts a request for several when nobody waits for it any more", async () => {
    const values = [0, 1].map((i) => ({ name: `c/${i}`, value: pattern(9000, i) }));
    const archive = buildZip([...values, { name: "last", value: pattern(200_000) }]);
    const map = new MemoryStore(new Map([["/a.zip", archive]]));
    const signals: AbortSignal[] = [];
    let answer = (): void => {};
    const store = new ZipStore(
      {
        get: () => expect.unreachable(),
        async getRange(key, range, options) {
          if ("offset" in range) {
            if (options?.signal) signals.push(options.signal);
            await new Promise<void>((resolve) => {
              answer = resolve;
            });
            options?.signal?.throwIfAborted();
          }
          return map.getRange(key, range);
        },
      },
      "/a.zip",
    );
    await store.list();
    const read = () => {
      const controllers = values.map(() => new AbortController());
      const answers = values.map(({ name }, i) =>
        store.get(`/${name}`, { signal: controllers[i]?.signal }).catch((error: unknown) => error),
      );
      return { controllers, answers };
    };
    const isAsked = (count: number) =>
      vi.waitFor(() => expect(signals.length).toBe(count), { timeout: 30_000 });
    const one = read();
    await isAsked(1);
    one.controllers[0]?.abort(new Error("enough"));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    answer();
    expect(await one.answers[0]).toMatchObject({ message: "enough" });
    expect(await one.answers[1]).toEqual(values[1]?.value);
    const both = read();
    await isAsked(2);
    for (const controller of both.controllers) controller.abort(new Error("enough"));
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    answer();
    for (const each of both.answers) expect(await each).toMatchObject({ message: "enough" });
  });

  it("reads a directory that is longer than the tail, or stands apart from the end", async () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({
      name: `chunk/${index}`,
      value: pattern(3, index),
    }));
    for (const archive of [
      buildZip(many),
      buildZip(many, { gap: 10 }),
      buildZip(many.slice(0, 5), { gap: 10 }),
    ]) {
      const store = open(archive);
      expectBytes(await store.get("/chunk/4"), pattern(3, 4));
    }
  });

  it("takes the last of several entries of one name", async () => {
    const store = open(
      buildZip([
        { name: "zarr.json", value: pattern(5, 1) },
        { name: "c/0", value: pattern(5, 2) },
        { name: "zarr.json", value: pattern(7, 3) },
      ]),
    );
    expectBytes(await store.get("/zarr.json"), pattern(7, 3));
    expect((await store.list()).sort()).toEqual(["/c/0", "/zarr.json"]);
  });

  it("leaves out directories", async () => {
    const store = open(
      buildZip([
        { name: "c/", value: new Uint8Array(0) },
        { name: "c/0", value: pattern(5) },
      ]),
    );
    expect(await store.list()).toEqual(["/c/0"]);
  });

  it("reads what fflate writes", async () => {
    const store = open(zipSync({ "zarr.json": pattern(500), c: { "0": [pattern(100), { level: 0 }] } }));
    expectBytes(await store.get("/zarr.json"), pattern(500));
    expectBytes(await store.get("/c/0"), pattern(100));
  });

  it("does not let one caller's abort take the directory from another", async () => {
    const store = open(buildZip([{ name: "v", value: pattern(5) }]));
    const controller = new AbortController();
    const aborted = store.get("/v", { signal: controller.signal });
    const other = store.get("/v");
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ name: "AbortError" });
    expectBytes(await other, pattern(5));
  });

  it("tries again after the source failed", async () => {
    const archive = buildZip([{ name: "v", value: pattern(5) }]);
    let isDown = true;
    const store = new ZipStore(
      { get: () => (isDown ? Promise.reject(new Error("down")) : archive) },
      "/a.zip",
    );
    await expect(store.get("/v")).rejects.toMatchObject({ tag: "StoreError", key: "/a.zip" });
    isDown = false;
    expectBytes(await store.get("/v"), pattern(5));
  });
});

describe("ZipStore: bad archives", () => {
  const a: BuiltEntry = { name: "a", value: pattern(100, 1) };
  const b: BuiltEntry = { name: "b", value: pattern(1000, 2), deflate: true };
  const c: BuiltEntry = { name: "c", value: pattern(50, 3) };
  const good = [a, b, c];

  it.each<[string, Uint8Array]>([
    ["nothing", new Uint8Array(0)],
    ["no archive", pattern(100_000)],
    ["an archive that was cut off", buildZip(good).subarray(0, 1200)],
    ["an archive with bytes behind its end", concatenate([buildZip(good), new Uint8Array(3)])],
    [
      "an archive with bytes before its beginning",
      concatenate([new Uint8Array(3), buildZip(good, { gap: 1 })]),
    ],
    ["part of an archive", buildZip(good, { diskNumber: 1 })],
    ["more entries than announced", buildZip(good, { entryCount: 2 })],
    ["fewer entries than announced", buildZip(good, { entryCount: 4 })],
    ["a directory beyond the end", buildZip(good, { offset: 1 << 30, gap: 1 })],
    ["a directory that is too long", buildZip(good, { byteLength: 1 << 30 })],
    ["a directory that is too short", buildZip(good, { byteLength: 100 })],
    ["a zip64 directory of 2^60 bytes", buildZip(good, { zip64: true, byteLength: 2 ** 60 })],
    ["a zip64 directory at 2^52", buildZip(good, { zip64: true, offset: 2 ** 52 })],
    ["an entry beyond the end", buildZip([a, { ...b, offset: 1 << 30 }])],
    ["an entry at 2^63", buildZip([a, { ...b, zip64: true, offset: 2 ** 63 }])],
    ["an entry over the directory", buildZip([a, { ...c, compressedLength: 51 + 46 }])],
    [
      "an entry that ends one byte behind the directory's beginning",
      buildZip([a, { ...c, compressedLength: 51 }]),
    ],
    ["two entries on the same bytes", buildZip([a, { ...a, name: "x", offset: 0 }])],
    ["an entry inside another", buildZip([a, { ...c, offset: 40 }])],
  ])("refuses %s", async (_, archive) => {
    const store = open(archive);
    const error = {
      tag: "StoreError",
      key: "/a.zip",
      message: expect.stringContaining("cannot open the archive"),
    };
    await expect(store.get("/a")).rejects.toMatchObject(error);
    await expect(store.list()).rejects.toMatchObject(error);
  });

  it("says which file is missing", async () => {
    const store = new ZipStore(new Map(), "/missing.zip");
    await expect(store.get("/a")).rejects.toMatchObject({ tag: "StoreError", key: "/missing.zip" });
  });

  it.each<[string, string, BuiltEntry]>([
    ["encrypted bytes", "UnsupportedError", { ...b, flags: 1 }],
    ["another compression", "UnsupportedError", { ...b, method: 93 }],
    ["a wrong checksum", "StoreError", { ...b, crc32: 7 }],
    ["a wrong checksum of stored bytes", "StoreError", { ...b, deflate: false, crc32: 7 }],
    ["fewer bytes than announced", "StoreError", { ...b, byteLength: 1001 }],
    ["more bytes than announced", "StoreError", { ...b, byteLength: 999 }],
    ["a bomb's announcement", "StoreError", { ...b, zip64: true, byteLength: 2 ** 45 }],
    ["stored bytes of two lengths", "StoreError", { ...b, deflate: false, byteLength: 5 }],
    ["bytes that are no deflate stream", "StoreError", { ...b, deflate: false, method: 8 }],
  ])("refuses an entry with %s, and reads the others", async (_, tag, entry) => {
    const store = open(buildZip([a, entry, c]));
    await expect(store.get("/b")).rejects.toMatchObject({ tag });
    await expect(store.get("/b")).rejects.toMatchObject({ tag });
    expectBytes(await store.get("/a"), a.value);
    expectBytes(await store.get("/c"), c.value);
  });

  it.each<[string, BuiltEntry]>([
    ["signature", { ...b, localSignature: 0x04034b51 }],
    ["name's length", { ...b, localName: "bb" }],
  ])("refuses an entry whose local header has another %s", async (_, entry) => {
    const store = open(buildZip([a, entry, c]));
    for (const read of [() => store.get("/b"), () => store.get("/b")])
      await expect(read()).rejects.toMatchObject({
        tag: "StoreError",
        message: expect.stringContaining('no local header of entry "b"'),
      });
    expectBytes(await store.get("/c"), c.value);
  });

  it("gives typed errors or right values for archives with any byte changed", async () => {
    const archive = buildZip(good);
    for (let offset = 0; offset < archive.byteLength; offset++) {
      const changed = archive.slice();
      changed[offset] = (changed[offset] ?? 0) ^ 0x41;
      const store = open(changed);
      for (const { name, value } of good) {
        const result = await store.get(`/${name}`).catch((error: unknown) => error);
        // A changed name makes a missing value.
        if (result === undefined) continue;
        if (result instanceof Uint8Array) expectBytes(result, value, `byte ${offset}`);
        else
          expect(["StoreError", "UnsupportedError"], `byte ${offset}`).toContain(
            Reflect.get(Object(result), "tag"),
          );
      }
    }
  });
});

describe("packZip", () => {
  it("makes the same archive of the same values, whatever their order", async () => {
    const one = await pack(
      new Map([
        ["/b", pattern(3)],
        ["/a", pattern(4)],
      ]),
    );
    const other = await pack(
      new MemoryStore(
        new Map([
          ["/a", pattern(4)],
          ["/b", pattern(3)],
        ]),
      ),
    );
    expectBytes(one, other);
  });

  it("uses zip64 for many entries", async () => {
    const values = new Map<string, Uint8Array>();
    for (let index = 0; index < 66_000; index++) values.set(`/c/${index}`, pattern(1, index));
    const store = open(await pack(values));
    expect((await store.list()).length).toBe(66_000);
    expectBytes(await store.get("/c/65999"), pattern(1, 65_999));
  });

  it("uses zip64 for what lies behind 4 GiB", () => {
    const entry = { name: pattern(5), byteLength: 2 ** 33, crc32: 5, offset: 2 ** 35 };
    const record = directoryRecord(entry);
    const place = { offset: 2 ** 36, byteLength: record.byteLength, entryCount: 1 };
    expect(readDirectory(record, place)).toMatchObject([
      { byteLength: 2 ** 33, compressedLength: 2 ** 33, offset: 2 ** 35, crc32: 5 },
    ]);
    expect(endRecords(2 ** 36, record.byteLength, 1).byteLength).toBe(56 + 20 + 22);
  });

  it("refuses keys that are no paths, and stores that cannot be listed", async () => {
    await expect(pack(new Map([["/a/../b", pattern(1)]]))).rejects.toMatchObject({ tag: "StoreError" });
    await expect(pack({ get: () => undefined })).rejects.toMatchObject({ tag: "UnsupportedError" });
  });
});

describe("an archive behind a URL", () => {
  it.each([
    "https://example.com/o/dir%2Fa%20b.zip?alt=media",
    "https://example.com/100%.zip",
    "https://example.com/a+(b).zip",
  ])("is asked for there, letter by letter: %s", async (url) => {
    const archive = buildZip([{ name: "v", value: pattern(5) }]);
    const urls = new Set<string>();
    const store = ZipStore.fromUrl(url, {
      fetch: async (request) => {
        urls.add(request.url);
        return new Response(archive.slice());
      },
    });
    expectBytes(await store.get("/v"), pattern(5));
    expect([...urls]).toEqual([url]);
  });
});
