/** Reference documents: those of kerchunk (test/fixtures/references.json), and what may be wrong with one. */
import { inspect } from "node:util";
import { describe, expect, test, vi } from "vitest";
import { children, get, isZarrError, open, root, slice } from "../../../src/index.js";
import { ReferenceStore, type ReferenceStoreOptions } from "../../../src/stores/references/reference.js";
import fixtures from "../../fixtures/references.json" with { type: "json" };

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
const FILES = new Map(
  Object.entries(fixtures.files).map(([name, base64]) => [`http://files.test/${name}`, bytesOf(base64)]),
);
const TEN = Uint8Array.from({ length: 10 }, (_, i) => i);

/** A server of files that tells what it is asked. */
function serving(files: ReadonlyMap<string, Uint8Array>) {
  const requests: string[] = [];
  const headers: Headers[] = [];
  const answer = async (request: Request): Promise<Response> => {
    const range = request.headers.get("range");
    requests.push(`${request.url}${range === null ? "" : ` ${range}`}`);
    headers.push(request.headers);
    const body = files.get(request.url)?.slice();
    if (body === undefined) return new Response(null, { status: 404 });
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
    if (first === undefined) return new Response(body);
    const end = Math.min(body.length, Number(last) + 1);
    const part = { "content-range": `bytes ${first}-${end - 1}/${body.length}` };
    return new Response(body.slice(Number(first), end), { status: 206, headers: part });
  };
  return { fetch: answer, requests, headers };
}

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);
const one = (reference: unknown, options: ReferenceStoreOptions = {}) =>
  new ReferenceStore({ version: 1, refs: { a: reference } }, options);

describe.each(["hdf5", "netcdf3"] as const)("a document of kerchunk for %s", (name) => {
  const arrays: Record<string, { shape: number[]; data: number[] }> = fixtures.arrays[name];
  const document = fixtures.documents[name];
  const templated = JSON.parse(JSON.stringify(document).replaceAll("http://files.test", "http://{{u}}"));

  test.each([
    ["version 1", document],
    ["version 0", document.refs],
    ["a template", { ...templated, templates: { u: "files.test" } }],
  ])("gives the elements that zarr-python reads: %s", async (_, given) => {
    const store = new ReferenceStore(given, { fetch: serving(FILES).fetch });
    expect(Object.keys(arrays).length).toBeGreaterThan(0);
    for (const [path, { shape, data }] of Object.entries(arrays)) {
      const array = await open(root(store).resolve(path), { kind: "array" });
      const read = await get(array);
      expect(read.shape).toEqual(shape);
      expect(Array.from(read.data, Number)).toEqual(data);
    }
  });
});

test("a document behind a URL, its hierarchy, and chunks of one file in one request", async () => {
  const document = new TextEncoder().encode(JSON.stringify(fixtures.documents.hdf5));
  const { fetch, requests } = serving(new Map([...FILES, ["http://documents.test/a.json", document]]));
  const store = await ReferenceStore.fromUrl("http://documents.test/a.json", { fetch });
  const names = (await children(store)).map(({ path }) => path);
  expect(names.sort()).toEqual(["/deep", "/t2m", "/time"]);
  const array = await open(root(store).resolve("t2m"), { kind: "array", dtype: "float32" });
  const { data } = await get(array, [0, slice(0, 6), slice(0, 16)]);
  expect(Array.from(data)).toEqual(fixtures.arrays.hdf5.t2m.data.slice(0, 96));
  expect(requests).toHaveLength(2);
  expect(requests[1]).toMatch(/^http:\/\/files\.test\/first\.h5 bytes=/);
});

describe("values", () => {
  const { fetch } = serving(new Map([["http://files.test/ten", TEN]]));
  test("in the document: text, base64, JSON", async () => {
    expect(text(await one("kein Umlaut: ü").get("/a"))).toBe("kein Umlaut: ü");
    expect(await one("base64:AQID").get("/a")).toEqual(Uint8Array.of(1, 2, 3));
    expect(text(await one({ zarr_format: 2 }).get("/a"))).toBe('{"zarr_format":2}');
    expect(await one("base64:AQID").getRange("/a", { suffixLength: 2 })).toEqual(Uint8Array.of(2, 3));
    expect(await one("x").get("/b")).toBeUndefined();
  });
  test("in a file: a part, and ranges of that part alone", async () => {
    const store = one(["http://files.test/ten", 2, 5], { fetch });
    expect(await store.get("/a")).toEqual(TEN.slice(2, 7));
    expect(await store.getRange("/a", { offset: 1, length: 2 })).toEqual(TEN.slice(3, 5));
    expect(await store.getRange("/a", { offset: 4, length: 9 })).toEqual(TEN.slice(6, 7));
    expect(await store.getRange("/a", { offset: 7, length: 9 })).toEqual(new Uint8Array(0));
    expect(await store.getRange("/a", { suffixLength: 2 })).toEqual(TEN.slice(5, 7));
    expect(await store.getRange("/a", { suffixLength: 9 })).toEqual(TEN.slice(2, 7));
    expect((await store.getParts("/a", undefined))?.byteLength).toBe(5);
  });
  test("in a file: all of it; in the target", async () => {
    expect(await one(["http://files.test/ten"], { fetch }).get("/a")).toEqual(TEN);
    expect(await one([null, 3, 2], { fetch, target: "http://files.test/ten" }).get("/a")).toEqual(
      TEN.slice(3, 5),
    );
  });
  test("of an application's own files", async () => {
    const files = new Map([["/ten", TEN]] as const);
    const open = (address: string) => ({ store: files, key: `/${address.replace("file:///", "")}` as const });
    expect(await one(["file:///ten", 1, 2], { open }).get("/a")).toEqual(TEN.slice(1, 3));
  });
  test("are not read where they are longer than they may be", async () => {
    const store = one(["http://files.test/ten", 2, 5], { fetch });
    await expect(store.get("/a", { maximumBytes: 4 })).rejects.toMatchObject({
      tag: "StoreError",
      key: "/a",
    });
  });
  test("of a server that ignores ranges are cut out of the file, and a file without end is cut off", async () => {
    let pieces = 0;
    const endless = () => {
      const piece = new Uint8Array(1 << 20);
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
        if (++pieces > 1024) controller.close();
        else controller.enqueue(piece);
      };
      return new Response(new ReadableStream({ pull }));
    };
    const announced = () => new Response(new Uint8Array(1), { headers: { "content-length": `${2 ** 40}` } });
    const whole = async () => new Response(TEN.slice());
    expect(await one(["http://files.test/ten", 2, 5], { fetch: whole }).get("/a")).toEqual(TEN.slice(2, 7));
    for (const answer of [endless, announced]) {
      const fetch = async () => answer();
      const part = one(["http://files.test/ten", 2, 5], { fetch });
      const file = one(["http://files.test/ten"], { fetch });
      for (const read of [() => part.get("/a"), () => file.getRange("/a", { offset: 2, length: 5 })]) {
        await expect(read()).rejects.toMatchObject({
          tag: "StoreError",
          key: "/a",
          status: 200,
          message: expect.stringContaining(`expected a body of at most ${256 << 20} bytes, got `),
        });
      }
    }
    expect(pieces).toBeLessThan(2 * 260);
  });
  test("may be taken back", async () => {
    const abort = new AbortController();
    const silent = () => new Promise<Response>(() => {});
    const reading = one(["http://files.test/ten", 2, 5], { fetch: silent }).get("/a", {
      signal: abort.signal,
    });
    const reason = new Error("enough");
    abort.abort(reason);
    await expect(reading).rejects.toBe(reason);
  });
});

test("buckets are read from their public endpoints", () => {
  expect(ReferenceStore.resolveUri("s3://bucket/a b/c#1.nc")).toBe(
    "https://bucket.s3.amazonaws.com/a%20b/c%231.nc",
  );
  expect(ReferenceStore.resolveUri("gs://bucket/a.nc")).toBe("https://storage.googleapis.com/bucket/a.nc");
  // The certificate of virtual hosts is for names without dots.
  expect(ReferenceStore.resolveUri("s3://a.b/c.nc")).toBe("https://s3.amazonaws.com/a.b/c.nc");
  expect(ReferenceStore.resolveUri("abfs://c@account.dfs.core.windows.net/a.nc")).toBe(
    "https://account.blob.core.windows.net/c/a.nc",
  );
  expect(() => ReferenceStore.resolveUri("az://container/a.nc")).toThrow(/expected an http\(s\)/);
  expect(ReferenceStore.resolveUri("https://x.test/a.nc")).toBe("https://x.test/a.nc");
});

test("credentials are for the document's origin and the target's, not for what a document names", async () => {
  const files = new Map(["own", "target", "other"].map((name) => [`http://${name}.test/a`, TEN]));
  const refs = { own: ["a", 0, 1], target: [null, 0, 1], other: ["http://other.test/a", 0, 1] };
  files.set("http://own.test/refs.json", new TextEncoder().encode(JSON.stringify({ version: 1, refs })));
  const { fetch, headers } = serving(files);
  const options = { fetch, target: "http://target.test/a", headers: { authorization: "secret" } };
  const store = await ReferenceStore.fromUrl("http://own.test/refs.json", options);
  for (const key of ["/own", "/target", "/other"] as const) await store.get(key);
  expect(headers.map((each) => each.get("authorization"))).toEqual(["secret", "secret", "secret", null]);
});

test("neither are headers and cookies of `overrides`", async () => {
  const asked: Request[] = [];
  const fetch = async (request: Request) => {
    asked.push(request);
    return new Response(TEN);
  };
  const refs = { own: ["http://own.test/a"], other: ["http://other.test/a"] };
  const overrides = { headers: { "x-api-key": "secret" }, credentials: "include" } as const;
  const options = { fetch, overrides, target: "http://own.test" };
  const store = new ReferenceStore({ version: 1, refs }, options);
  for (const key of ["/own", "/other"] as const) await store.get(key);
  expect(asked.map(({ headers, credentials }) => [headers.get("x-api-key"), credentials])).toEqual([
    ["secret", "include"],
    [null, "same-origin"],
  ]);
});

describe("addresses of this machine", () => {
  test.each([
    "http://localhost:9000/a",
    "http://a.localhost/a",
    "http://localhost./a",
    "http://127.1/a",
    "http://0x7f000001/a",
    "http://0.0.0.0:1/a",
    "http://[::1]/a",
    "http://[::]/a",
    "http://[::ffff:127.0.0.1]/a",
    "http://169.254.169.254/latest/meta-data",
    "http://[fe80::1]/a",
  ])("%s is refused, unless the application allows it or is there itself", async (address) => {
    const { href, origin } = new URL(address);
    const { fetch, requests } = serving(new Map([[href, TEN]]));
    await expect(one([address], { fetch }).get("/a")).rejects.toThrow(/of this machine.*`allow`/);
    await expect(one([address], { fetch, allow: [`${origin}/b`] }).get("/a")).rejects.toThrow(/this machine/);
    expect(requests).toEqual([]);
    expect(await one([address], { fetch, allow: [origin] }).get("/a")).toEqual(TEN);
    expect(await one([address], { fetch, target: `${origin}/other` }).get("/a")).toEqual(TEN);
  });

  test("are refused behind redirects, at once", async () => {
    let count = 0;
    vi.stubGlobal("fetch", async () => {
      count++;
      return new Response(null, { status: 302, headers: { location: "http://127.0.0.1/a" } });
    });
    await expect(one(["http://files.test/a"]).get("/a")).rejects.toThrow(/this machine/);
    expect(count).toBe(1);
    vi.unstubAllGlobals();
  });

  test("names that only look like them are not refused", async () => {
    for (const address of [
      "http://localhost.files.test/a",
      "http://127.files.test/a",
      "http://170.254.1.1/a",
    ]) {
      const { fetch } = serving(new Map([[address, TEN]]));
      expect(await one([address], { fetch }).get("/a")).toEqual(TEN);
    }
  });
});

test.each([
  ["a missing file", "http://user:SECRET@x.test/a?sig=SECRET"],
  ["a relative address", "a.nc?SECRET"],
  ["another scheme", "ftp://user:SECRET@x.test/?sig=SECRET"],
  ["this machine", "http://user:SECRET@localhost/?SECRET"],
  ["no reference", "http://x.test/?sig=SECRET", 1],
  ["an expression", "{{'http://x.test/?sig=SECRET' - 1}}"],
])("errors do not show signatures and passwords: %s", async (_, ...reference) => {
  const { fetch } = serving(new Map());
  const [settled] = await Promise.allSettled([
    (async () => one(reference, { fetch, retry: false }).get("/a"))(),
  ]);
  const error: unknown = settled.status === "rejected" ? settled.reason : undefined;
  expect(isZarrError(error, "StoreError")).toBe(true);
  expect(inspect(error, { depth: 6 })).not.toContain("SECRET");
});

test("gen makes references that differ by numbers", async () => {
  const { fetch, requests } = serving(new Map([["http://server.test/path_3", new Uint8Array(9000)]]));
  const document = {
    version: 1,
    templates: { u: "server.test/path", f: "{{c}}" },
    gen: [
      {
        key: "gen{{i}}.{{j}}",
        url: "http://{{u}}_{{i}}",
        offset: "{{(i + 1) * 1000 + j // 2 - 7 % 4}}",
        length: "100",
        dimensions: { i: { stop: 5 }, j: [4, 6] },
      },
    ],
    refs: { named: ["http://{{f(c='server.test')}}/path_3", 0, 10] },
  };
  const store = new ReferenceStore(document, { fetch });
  expect(store.list()).toHaveLength(11);
  expect(store.listDir("/").keys).toContain("/gen4.6");
  expect(await store.get("/gen3.6")).toHaveLength(100);
  await store.get("/named");
  expect(requests).toEqual([
    "http://server.test/path_3 bytes=4000-4099",
    "http://server.test/path_3 bytes=0-9",
  ]);
});

describe("what is wrong is said", () => {
  test.each([
    ["no object", [1], /expected an object/],
    ["a version that nobody knows", { version: 2, refs: {} }, /version 0 or 1/],
    ["templates that are none", { version: 1, refs: {}, templates: { a: 1 } }, /templates/],
    [
      "gen without end",
      { version: 1, refs: {}, gen: [{ key: "{{i}}", url: "u", dimensions: { i: { stop: 2 ** 40 } } }] },
      /1000000/,
    ],
    [
      "gen without a step",
      { version: 1, refs: {}, gen: [{ key: "k", url: "u", dimensions: { i: { stop: 3, step: 0 } } }] },
      /dimension/,
    ],
  ])("%s", (_, document, message) => {
    expect(() => new ReferenceStore(document)).toThrow(message);
  });

  test.each<[string, unknown, RegExp]>([
    ["a number", 7, /expected a string, \[url\] or \[url, offset, length\], got 7/],
    ["an offset alone", ["http://files.test/ten", 3], /expected a string/],
    ["a negative offset", ["http://files.test/ten", -3, 2], /expected a string/],
    ["text that is no base64", "base64:%", /expected base64/],
    ["a file that is not there", ["http://files.test/none", 0, 2], /got none/],
    ["a file that ends too early", ["http://files.test/ten", 8, 5], /expected 5 bytes at byte 8, got 2/],
    ["no file", [null, 0, 2], /target/],
    ["a file of this machine", ["/etc/passwd", 0, 2], /`open` reads others/],
    ["a name in a template", ["http://{{nobody}}/", 0, 2], /nobody/],
    ["code in a template", ["http://{{().__class__}}/", 0, 2], /expected names/],
    ["half an expression", ["http://{{1 +}}/", 0, 2], /expected names/],
  ])("%s", async (_, reference, message) => {
    const { fetch } = serving(new Map([["http://files.test/ten", TEN]]));
    const failure: unknown = await one(reference, { fetch })
      .get("/a")
      .catch((error: unknown) => error);
    expect(isZarrError(failure, "StoreError")).toBe(true);
    expect(String(failure)).toMatch(message);
  });

  test("templates that use each other in a circle", async () => {
    const document = {
      version: 1,
      templates: { a: "{{b}}", b: "{{a}}" },
      refs: { a: ["http://{{a}}/", 0, 1] },
    };
    await expect(new ReferenceStore(document).get("/a")).rejects.toThrow(/circle/);
  });

  test("a document that is not there, or no JSON", async () => {
    const { fetch } = serving(new Map([["http://d.test/no.json", TEN]]));
    await expect(ReferenceStore.fromUrl("http://d.test/none.json?secret=1", { fetch })).rejects.toThrow(
      /no reference document at http:\/\/d\.test\/none\.json/,
    );
    await expect(ReferenceStore.fromUrl("http://d.test/no.json", { fetch })).rejects.toThrow(/expected JSON/);
    const endless = async () => new Response("{", { headers: { "content-length": `${2 ** 40}` } });
    await expect(ReferenceStore.fromUrl("http://d.test/long.json", { fetch: endless })).rejects.toThrow(
      `expected a body of at most ${2 ** 29} bytes, got ${2 ** 40}`,
    );
  });
});

test("documents that were changed at random give values or StoreErrors, nothing else", async () => {
  const original = JSON.stringify({
    ...JSON.parse(JSON.stringify(fixtures.documents.netcdf3)),
    templates: { u: "files.test", f: "{{u}}{{c}}" },
    gen: [
      {
        key: "g{{i}}",
        url: "http://{{f(c='x')}}",
        offset: "{{i*2}}",
        length: "1",
        dimensions: { i: { stop: 3 } },
      },
    ],
  });
  const pieces = [
    "{{",
    "}}",
    "[",
    "]",
    "{",
    "}",
    '"',
    ",",
    "1e99",
    "-1",
    "null",
    "base64:",
    "s3://",
    "(",
    ")",
    "\\u0000",
    "refs",
  ];
  let seed = 1;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return seed % below;
  };
  const { fetch } = serving(FILES);
  let parsed = 0;
  for (let round = 0; round < 3000; round++) {
    let changed = original;
    for (let i = random(3); i >= 0; i--) {
      const at = random(changed.length);
      changed = `${changed.slice(0, at)}${pieces[random(pieces.length)]}${changed.slice(at + random(4))}`;
    }
    let document: unknown;
    try {
      document = JSON.parse(changed);
    } catch {
      continue;
    }
    parsed++;
    try {
      const store = new ReferenceStore(document, { fetch, retry: false });
      for (const key of store.list().slice(0, 20)) await store.get(key);
    } catch (error) {
      if (!isZarrError(error, "StoreError")) throw error;
    }
  }
  expect(parsed).toBeGreaterThan(100);
});
