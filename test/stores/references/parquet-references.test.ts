/**
 * References in Parquet as kerchunk writes them (test/fixtures/references-parquet.json), and what may be
 * wrong with a file.
 */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { get, isZarrError, open, root } from "../../../src/index.js";
import { openStore } from "../../../src/stores/addresses/open-store.js";
import { checkPages } from "../../../src/stores/references/parquet/pages.js";
import { readStruct } from "../../../src/stores/references/parquet/thrift.js";
import { ReferenceStore } from "../../../src/stores/references/reference.js";
import fixtures from "../../fixtures/references-parquet.json" with { type: "json" };

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const textOf = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
const PAGE = Uint8Array.from({ length: 2048 }, (_, i) => (i * 7) % 256);
const FILES = new Map([
  ["http://files.test/many.bin", PAGE],
  ["http://files.test/other.bin", PAGE.toReversed()],
  ["http://files.test/four.bin", Uint8Array.of(4, 3, 2, 1)],
]);
const FOLDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fastparquet: fixtures.folders.fastparquet.files,
  pyarrow: fixtures.folders.pyarrow.files,
  hostile: fixtures.hostile,
};

/** A server of files that tells what it is asked. */
function serving(files: ReadonlyMap<string, Uint8Array> = FILES) {
  const requests: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request.url);
    const body = files.get(request.url)?.slice();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get("range") ?? "") ?? [];
    if (body === undefined) return new Response(null, { status: 404 });
    if (first === undefined) return new Response(body);
    const end = Math.min(body.length, Number(last) + 1);
    const part = { "content-range": `bytes ${first}-${end - 1}/${body.length}` };
    return new Response(body.slice(Number(first), end), { status: 206, headers: part });
  };
  return { fetch, requests };
}

/** The files of a folder that kerchunk wrote, of which some are replaced. */
function folderOf(name: string, replaced: Readonly<Record<string, Uint8Array>> = {}) {
  const files = Object.entries(FOLDERS[name] ?? {}).map(
    ([key, base64]) => [`/${key}`, bytesOf(base64)] as const,
  );
  return new Map<string, Uint8Array>([...files, ...Object.entries(replaced)]);
}

function counting(folder: ReadonlyMap<string, Uint8Array>) {
  const asked: string[] = [];
  const store = {
    get: async (key: string) => {
      asked.push(key);
      return folder.get(key);
    },
  };
  return { asked, store };
}

const metadataOf = (
  change: (document: { metadata: Record<string, unknown>; record_size: unknown }) => void,
) => {
  const document = JSON.parse(textOf(folderOf("fastparquet").get("/.zmetadata")) ?? "");
  change(document);
  return new TextEncoder().encode(JSON.stringify(document));
};
const ALL_KEYS = Object.keys(fixtures.folders.fastparquet.values).map((key) => `/${key}` as const);

describe.each(["fastparquet", "pyarrow"] as const)("a folder that kerchunk wrote by %s", (name) => {
  test("has the values and the keys of the JSON document that it was made of", async () => {
    const { fetch } = serving();
    const document = new ReferenceStore(fixtures.document, { fetch });
    const store = await ReferenceStore.fromParquet(folderOf(name), { fetch });
    let chunks = 0;
    for (const key of ALL_KEYS) {
      const [expected, found] = [await document.get(key), await store.get(key)];
      if (key.includes("/.z"))
        expect(JSON.parse(textOf(found) ?? "")).toEqual(JSON.parse(textOf(expected) ?? ""));
      else expect([key, found]).toEqual([key, expected]);
      if (found !== undefined) chunks++;
      expect(await store.has?.(key)).toBe(document.has(key));
    }
    expect(chunks).toBe(document.list().length);
    const listed: string[] = [];
    for await (const key of await store.list()) listed.push(key);
    expect(listed.sort()).toEqual(document.list().sort());
    for (const prefix of ["/", "/many/", "/deep/", "/deep/scalar/", "/none/"] as const)
      expect(await store.listDir(prefix)).toEqual(document.listDir(prefix));
  });

  test("has the values that fsspec reads", async () => {
    const store = await ReferenceStore.fromParquet(folderOf(name), { fetch: serving().fetch });
    const values = Object.entries(fixtures.folders[name].values).filter(([key]) => !key.includes(".z"));
    expect(values.length).toBeGreaterThan(30);
    for (const [key, value] of values) {
      const [url, offset = 0, length = 4] = Array.isArray(value) ? value : [];
      const part = FILES.get(String(url))?.slice(Number(offset), Number(offset) + Number(length));
      expect([key, await store.get(`/${key}`)]).toEqual([
        key,
        typeof value === "string" ? bytesOf(value) : part,
      ]);
    }
  });

  test("has the elements of that document", async () => {
    const { fetch } = serving();
    const document = new ReferenceStore(fixtures.document, { fetch });
    const store = await ReferenceStore.fromParquet(folderOf(name), { fetch });
    for (const path of ["many", "mixed", "deep/scalar"]) {
      const [expected, found] = await Promise.all(
        [document, store].map(async (each) => get(await open(root(each).resolve(path), { kind: "array" }))),
      );
      expect(found).toEqual(expected);
    }
  });

  test("each file is read when a chunk of it is, and once", async () => {
    const { asked, store: folder } = counting(folderOf(name));
    const store = await ReferenceStore.fromParquet(folder, { fetch: serving().fetch });
    await Promise.all((["/many/0.0", "/many/0.1", "/many/1.0"] as const).map((key) => store.get(key)));
    expect(await store.getRange?.("/many/1.1", { offset: 1, length: 2 })).toEqual(PAGE.slice(97, 99));
    expect(asked).toEqual(["/.zmetadata", "/many/refs.0.parq"]);
    expect(await store.get("/many/3.1")).toBeUndefined();
    expect(await store.get("/many/3.2")).toBeUndefined();
    for (const key of [
      "/many/6.0",
      "/many/0.5",
      "/many/00.0",
      "/many/0",
      "/many/-1.0",
      "/none/0",
      "/.zmetadata",
    ])
      expect(await store.get(`/${key.slice(1)}`)).toBeUndefined();
    expect(asked).toEqual(["/.zmetadata", "/many/refs.0.parq", "/many/refs.2.parq"]);
  });

  test("cut off at any byte, a file is a StoreError that names it", async () => {
    const whole = folderOf(name).get("/many/refs.0.parq") ?? new Uint8Array();
    expect(whole.length).toBeGreaterThan(1000);
    for (let length = 0; length < whole.length; length += 13) {
      const replaced = { "/many/refs.0.parq": whole.slice(0, length) };
      const store = await ReferenceStore.fromParquet(folderOf(name, replaced));
      await expect(store.get("/many/0.0")).rejects.toMatchObject({
        tag: "StoreError",
        key: "/many/refs.0.parq",
      });
    }
  });

  test("with bytes that are others, a file gives typed errors alone", async () => {
    const wholes = ["many", "mixed"].map(
      (path) => folderOf(name).get(`/${path}/refs.0.parq`) ?? new Uint8Array(),
    );
    let [seed, errors] = [1, 0];
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
      return Math.floor((seed / 2 ** 32) * below);
    };
    const server = serving();
    for (let i = 0; i < 300; i++) {
      const [many, mixed] = wholes.map((whole) => {
        const bytes = whole.slice();
        // Half of them in pages and half anywhere.
        for (let n = random(4); n >= 0; n--) bytes[random(i % 2 ? 320 : bytes.length)] = random(256);
        return bytes;
      });
      if (many === undefined || mixed === undefined) throw new Error("no files");
      const replaced = { "/many/refs.0.parq": many, "/mixed/refs.0.parq": mixed };
      const store = await ReferenceStore.fromParquet(folderOf(name, replaced), { fetch: server.fetch });
      for (const key of ["/many/0.0", "/mixed/1"] as const)
        await store.get(key).catch((error: unknown) => {
          if (!isZarrError(error, "StoreError")) throw error;
          errors++;
        });
    }
    expect(errors).toBeGreaterThan(30);
  });
});

test("other compressors: none and snappy; gzip is refused", async () => {
  const of = (compressor: "none" | "snappy" | "gzip") =>
    ReferenceStore.fromParquet(
      folderOf("fastparquet", { "/mixed/refs.0.parq": bytesOf(fixtures.compressed[compressor]) }),
      { fetch: serving().fetch },
    );
  for (const store of [await of("none"), await of("snappy")]) {
    expect(await store.get("/mixed/0")).toEqual(Uint8Array.of(4, 3, 2, 1));
    expect(await store.get("/mixed/1")).toEqual(Uint8Array.of(200, 0, 201, 0));
    expect(await store.get("/mixed/3")).toBeUndefined();
  }
  await expect((await of("gzip")).get("/mixed/0")).rejects.toThrow(/no compression, got GZIP/);
});

test("a snappy literal of a negative length ends in an error", async () => {
  const file = bytesOf(fixtures.compressed.snappy);
  let at = readStruct(new DataView(file.buffer), 4).end;
  while (at < file.length && (file[at] ?? 0) > 127) at++;
  // A literal whose length has four bytes; 0xfffffffa + 1 is -5 in 32 bits.
  file.set([0xfc, 0xfa, 0xff, 0xff, 0xff], at + 1);
  const store = await ReferenceStore.fromParquet(folderOf("fastparquet", { "/mixed/refs.0.parq": file }));
  await expect(store.get("/mixed/0")).rejects.toMatchObject({
    tag: "StoreError",
    message: expect.stringContaining("damaged snappy stream"),
  });
});

/** A file whose footer is a list of `count` elements of one byte each. */
function footerOf(type: number, count: number): Uint8Array {
  const varint: number[] = [];
  for (let left = count; ; left = Math.floor(left / 128)) {
    varint.push(left > 127 ? (left & 127) | 128 : left);
    if (left <= 127) break;
  }
  const footer = [0x15, 2, 0x19, 0xf0 | type, ...varint, ...new Array<number>(count).fill(0), 0];
  const file = new Uint8Array(4 + footer.length + 8);
  file.set(footer, 4);
  new DataView(file.buffer).setUint32(4 + footer.length, footer.length, true);
  file.set(new TextEncoder().encode("PAR1"), file.length - 4);
  return file;
}

test.each([
  ["empty structs", 12],
  ["empty strings", 8],
  ["numbers", 6],
])("a footer of 200,000 %s is refused", async (_, type) => {
  const replaced = { "/mixed/refs.0.parq": footerOf(type, 200_000) };
  const store = await ReferenceStore.fromParquet(folderOf("fastparquet", replaced));
  await expect(store.get("/mixed/0")).rejects.toMatchObject({
    tag: "StoreError",
    message: expect.stringContaining("expected at most 100000 fields and elements"),
  });
});

test("behind a URL, with relative addresses and a query; nothing else is asked for", async () => {
  const files = [...folderOf("fastparquet")].map(
    ([key, bytes]) => [`http://refs.test/a.parq${key}?k=1`, bytes] as const,
  );
  const { fetch, requests } = serving(new Map([...files, ...FILES]));
  const store = await ReferenceStore.fromParquet("http://refs.test/a.parq?k=1", { fetch });
  expect(await store.get("/mixed/0")).toEqual(Uint8Array.of(4, 3, 2, 1));
  expect(requests).toEqual([
    "http://refs.test/a.parq/.zmetadata?k=1",
    "http://refs.test/a.parq/mixed/refs.0.parq?k=1",
    "http://files.test/four.bin",
  ]);
});

test("addresses of this machine are not requested, unless `allow` names them", async () => {
  const { fetch, requests } = serving();
  const store = await ReferenceStore.fromParquet(folderOf("hostile"), { fetch });
  await expect(store.get("/near/0")).rejects.toThrow(/localhost.* is an address of this machine/);
  await expect(store.get("/near/1")).rejects.toThrow(/expected an http\(s\), s3 or gs address/);
  await expect(store.get("/near/2")).rejects.toThrow(/an address of this machine/);
  expect(requests).toEqual([]);
  const allow = ["http://localhost:9000/a"];
  const allowed = await ReferenceStore.fromParquet(folderOf("hostile"), { fetch, allow });
  await expect(allowed.get("/near/0")).rejects.toThrow(/localhost/);
  expect(requests).toEqual(allow);
});

test.each([
  ["before", /offset: expected a whole number from 0 to 2\^53-1, got -4/],
  ["negative", /size: expected a whole number from 0 to 2\^53-1, got -4/],
])("negative numbers: %s", async (name, message) => {
  const { fetch, requests } = serving();
  const store = await ReferenceStore.fromParquet(folderOf("hostile"), { fetch });
  await expect(store.get(`/${name}/0`)).rejects.toThrow(message);
  expect(requests).toEqual([]);
});

describe("metadata that no folder has", () => {
  test.each<[string, Uint8Array | undefined, RegExp]>([
    ["none", undefined, /no \.zmetadata/],
    ["no JSON", new TextEncoder().encode("{"), /JSON|expected/i],
    ["a list", new TextEncoder().encode("[]"), /record_size/],
    ["a negative record_size", metadataOf((document) => (document.record_size = -8)), /record_size/],
    ["record_size 0", metadataOf((document) => (document.record_size = 0)), /record_size/],
    ["a path upwards", metadataOf(({ metadata }) => (metadata["../a/.zarray"] = {})), /expected a key/],
    [
      "chunks of 0",
      metadataOf(({ metadata }) => (metadata["a/.zarray"] = { shape: [1], chunks: [0] })),
      /1 or more/,
    ],
    [
      "too many chunks",
      metadataOf(({ metadata }) => (metadata["a/.zarray"] = { shape: [2 ** 40, 2 ** 40], chunks: [1, 1] })),
      /2\^53-1 chunks/,
    ],
  ])("%s", async (_, document, message) => {
    const folder = folderOf("fastparquet");
    folder.delete("/.zmetadata");
    if (document !== undefined) folder.set("/.zmetadata", document);
    await expect(ReferenceStore.fromParquet(folder)).rejects.toThrow(message);
  });

  test.each([
    ["more rows than record_size", 4, /expected 4 to 4 rows/],
    ["fewer rows than record_size", 16, /expected 16 to 16 rows/],
  ])("%s", async (_, recordSize, message) => {
    const replaced = { "/.zmetadata": metadataOf((document) => (document.record_size = recordSize)) };
    const store = await ReferenceStore.fromParquet(folderOf("fastparquet", replaced));
    await expect(store.get("/many/0.0")).rejects.toMatchObject({
      tag: "StoreError",
      key: "/many/refs.0.parq",
      message: expect.stringMatching(message),
    });
  });

  test("an array of more chunks than are listed", async () => {
    const many = metadataOf(({ metadata }) => (metadata["a/.zarray"] = { shape: [2 ** 40], chunks: [1] }));
    const { asked, store: folder } = counting(folderOf("fastparquet", { "/.zmetadata": many }));
    const store = await ReferenceStore.fromParquet(folder);
    await expect(store.listDir("/a/")).rejects.toThrow(/at most 10000000 chunks/);
    expect(asked).toEqual(["/.zmetadata"]);
  });
});

describe("files that claim more than they have", () => {
  const decompress = (page: Uint8Array) => page;
  /** A data page of these bytes: PLAIN_DICTIONARY elements after a dictionary of one number. */
  const column = (page: readonly number[], values: number) =>
    Uint8Array.of(
      ...[0x15, 4, 0x15, 8, 0x15, 8, 0x4c, 0x15, 2, 0x15, 0, 0, 0, 1, 0, 0, 0],
      ...[0x15, 0, 0x15, 2 * page.length, 0x15, 2 * page.length, 0x2c],
      ...[0x15, 2 * values, 0x15, 4, 0x15, 6, 0x15, 6, 0, 0],
      ...page,
    );
  const check = (page: readonly number[], isOptional = false) =>
    checkPages({ bytes: column(page, 8), rows: 8, isOptional, decompress }, 1000);

  test("runs as they should be", () => {
    expect(check([1, 16, 0])).toBe(7);
    expect(check([1, 3, 0])).toBe(7);
    expect(check([2, 0, 0, 0, 3, 255, 1, 16, 0], true)).toBe(13);
  });
  test.each<[string, readonly number[], boolean, RegExp]>([
    ["a run of 2^27 elements", [1, 128, 128, 128, 128, 1, 0], false, /a run of at most 8, got 134217728/],
    ["2^31 packed elements of no bits", [0, 255, 255, 255, 255, 15], false, /a run of at most 8/],
    ["a number that the dictionary has not", [1, 16, 1], false, /expected a number below 1, got 1/],
    ["levels longer than their page", [255, 0, 0, 0, 3, 255], true, /levels of 255 bytes/],
    ["elements of 200 bits", [200, 16, 0], false, /at most 24 bits/],
  ])("%s", (_, page, isOptional, message) => {
    expect(() => check(page, isOptional)).toThrow(message);
  });
  test("pages that are longer than what may be kept", () => {
    const read = vi.fn(decompress);
    expect(() =>
      checkPages({ bytes: column([1, 16, 0], 8), rows: 8, isOptional: false, decompress: read }, 3),
    ).toThrow(/at most 3 bytes of pages/);
    expect(read).not.toHaveBeenCalled();
  });
  test.each([
    ["a list of 2^28 elements", [0x19, 0xfc, 0x80, 0x80, 0x80, 0x80, 1, 0], /a list of 268435456 elements/],
    ["structs in structs", new Array(64).fill(0x1c), /at most 16 levels/],
    ["a long string", [0x18, 0x7f, 0], /a string of 127 bytes/],
  ])("%s", (_, bytes, message) => {
    expect(() => readStruct(new DataView(Uint8Array.from(bytes).buffer), 0)).toThrow(message);
  });
});

test("`openStore` opens such a folder, and links do not lead out of it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "wazarr-parquet-"));
  try {
    for (const [key, bytes] of folderOf("pyarrow")) {
      await mkdir(dirname(join(folder, "in", key)), { recursive: true });
      await writeFile(join(folder, "in", key), bytes);
    }
    const store = await openStore(join(folder, "in"));
    expect(await store.get("/mixed/1")).toEqual(Uint8Array.of(200, 0, 201, 0));
    await rm(join(folder, "in", "many", "refs.0.parq"));
    await writeFile(join(folder, "out.parq"), folderOf("pyarrow").get("/many/refs.0.parq") ?? "");
    await symlink(join(folder, "out.parq"), join(folder, "in", "many", "refs.0.parq"));
    await expect(store.get("/many/0.0")).rejects.toThrow(/a link leads out of/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("without hyparquet an error says what to install", async () => {
  vi.resetModules();
  vi.doMock("hyparquet", () => {
    throw new Error("Cannot find package 'hyparquet'");
  });
  try {
    const { ReferenceStore: Again } = await import("../../../src/stores/references/reference.js");
    await expect(Again.fromParquet(folderOf("fastparquet"))).rejects.toMatchObject({
      tag: "UnsupportedError",
      message: expect.stringContaining("npm install hyparquet"),
    });
  } finally {
    vi.doUnmock("hyparquet");
    vi.resetModules();
  }
});
