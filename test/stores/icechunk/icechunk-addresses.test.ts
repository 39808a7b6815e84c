/**
 * Addresses of virtual chunks of Icechunk: which URL each is read from, and that nothing else is requested.
 */
import { expect, test } from "vitest";
import { isZarrError } from "../../../src/index.js";
import { AddressedFiles } from "../../../src/stores/file-ranges/addressed-files.js";
import { containersOf, expandAddress, urlOfAddress } from "../../../src/stores/icechunk/addresses.js";
import { parseConfig } from "../../../src/stores/icechunk/config-yaml.js";
import { readFlexBuffer } from "../../../src/stores/icechunk/flexbuffer.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import { readRepository } from "../../../src/stores/icechunk/repository.js";
import { CASES, filesOf } from "../../setup/icechunk-fixtures.js";
import { RangeStore, readOnly } from "../../setup/stores.js";

const ADDRESSES = CASES["containers 2"].addresses;

async function readAll(
  options: Parameters<typeof IcechunkStore.open>[1] = {},
  files = filesOf("containers 2"),
): Promise<Map<string, string>> {
  const outcomes = new Map<string, string>();
  const requests: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request.url);
    return new Response(Uint8Array.of(7), { status: 206, headers: { "content-range": "bytes 0-0/9" } });
  };
  const store = await IcechunkStore.open(files, { fetch, ...options });
  for (const [i, address] of ADDRESSES.entries()) {
    try {
      expect(await store.get(`/a/c/${i}`)).toEqual(Uint8Array.of(7));
      outcomes.set(address, requests.splice(0).join(" "));
    } catch (error) {
      if (!isZarrError(error, "StoreError")) throw error;
      outcomes.set(address, error.reason);
      // What is refused was not requested.
      expect(requests).toEqual([]);
    }
  }
  return outcomes;
}

test("each address is read from the URL that the repository means, or is refused with the reason", async () => {
  const outcomes = await readAll();
  expect(Object.fromEntries([...outcomes].filter(([, outcome]) => outcome.startsWith("http")))).toEqual({
    "vcc://archive/2020/a%20b.nc": "http://files.test/archive/2020/a%20b.nc",
    "s3://plain/a%3Fb%23c": "https://plain.s3.us-west-2.amazonaws.com/a%3Fb%23c",
    "s3://dotted.name/x": "https://s3.eu-central-1.amazonaws.com/dotted.name/x",
    "vcc://other/x y": "https://objects.test/other/x%20y",
    "gs://bucket/x": "https://storage.googleapis.com/bucket/x",
    "gcs://bucket/x": "https://storage.googleapis.com/bucket/x",
    "az://container/x": "https://account.blob.core.windows.net/container/x",
    "abfs://container@account.dfs.core.windows.net/x": "https://account.blob.core.windows.net/container/x",
    "https://files.test/x?y=1": "https://files.test/x?y=1",
    "s3://unknown/x": "https://unknown.s3.amazonaws.com/x",
  });
  expect(Object.fromEntries([...outcomes].filter(([, outcome]) => !outcome.startsWith("http")))).toEqual({
    "vcc://nobody/x": expect.stringMatching(/no virtual chunk container "nobody", it has .*archive.*`open`/),
    "azure://container/x": expect.stringMatching(
      /does not say where to read this address; pass the option `open`/,
    ),
    "az://unknown/x": expect.stringMatching(
      /does not say where to read this address; pass the option `open`/,
    ),
    "file:///etc/passwd": expect.stringMatching(/the option `open` reads others, such as files/),
    "s3://plain/../secret": expect.stringMatching(/a URL cannot have the names "." and ".."/),
    "ftp://files.test/x": expect.stringMatching(/expected an http\(s\), s3 or gs address/),
  });
});

test("`open` sees absolute addresses, and those that are relative to no container", async () => {
  const seen: string[] = [];
  const open = (address: string) => {
    seen.push(address);
    return { store: new Map([["/f", Uint8Array.of(7)]] as const), key: "/f" as const };
  };
  const outcomes = await readAll({ open });
  expect([...outcomes.values()].every((outcome) => outcome === "")).toBe(true);
  expect(seen).toEqual([
    "http://files.test/archive/2020/a%20b.nc",
    "vcc://nobody/x",
    "s3://plain/a%3Fb%23c",
    "s3://dotted.name/x",
    "s3://other/x y",
    ...ADDRESSES.slice(5),
  ]);
});

test("a snapshot that is opened by its id has the same containers", async () => {
  const files = filesOf("containers 2");
  const { snapshot } = await IcechunkStore.open(files);
  expect(await readAll({ snapshot })).toEqual(await readAll());
});

test("format 1 has its containers in config.yaml, which is read when an address needs it", async () => {
  expect(await readAll({}, filesOf("containers 1"))).toEqual(await readAll());
  const store = new RangeStore(filesOf("containers 1"));
  const repository = await IcechunkStore.open(readOnly(store), {
    fetch: async () => new Response(Uint8Array.of(7), { status: 206 }),
  });
  const asked = () => store.requests.filter((key) => key.startsWith("/config"));
  await repository.get("/a/c/10");
  expect(ADDRESSES[10]).toMatch(/^https:/);
  expect(asked()).toEqual([]);
  await repository.get("/a/c/2");
  await repository.get("/a/c/3");
  expect(asked()).toHaveLength(1);
});

test("lines of config.yaml", () => {
  const text = `
# comment
--- 
a: null
"b c": 'd'
e:
  'f:g': !tag
    h: "i"
  __proto__: x
  empty: {}
 - list: 1
j: k: l
`;
  const parsed = parseConfig(text);
  expect(JSON.parse(JSON.stringify(parsed))).toEqual(
    JSON.parse('{"a":null,"b c":"d","e":{"f:g":{"tag":{"h":"i"}},"__proto__":"x","empty":{}},"j":"k: l"}'),
  );
  // Deeper than any configuration is, and a line that has no end.
  const deep = Array.from({ length: 1000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
  for (const hostile of [deep, ":".repeat(100_000), "a: ".repeat(100_000), `"${"a".repeat(100_000)}`])
    expect(parseConfig(hostile)).toBeTypeOf("object");
});

test("a container leads to no address of this machine unless it is allowed", async () => {
  const configuration = {
    virtual_chunk_containers: {
      a: { name: "a", url_prefix: "s3://bucket", store: { s3: { endpoint_url: "http://localhost:9000/" } } },
      b: { name: "b", url_prefix: "http://169.254.169.254/", store: { http: {} } },
      c: { name: "constructor", url_prefix: 7, store: {} },
      d: null,
    },
  };
  const containers = containersOf(configuration);
  expect(containers.map(({ name }) => name)).toEqual(["b", "a"]);
  expect(expandAddress("vcc://a/x", containers)).toBe("s3://bucket/x");
  expect(urlOfAddress("s3://other/100%/%41%2f%25", containers).pathname).toBe("/100%25/A%2F%25");
  expect(urlOfAddress("s3://bucket/x", containers).href).toBe("http://localhost:9000/bucket/x");
  for (const address of [
    "constructor://a/x",
    "__proto__://a/x",
    "vcc://constructor/x",
    "vcc://",
    "s3://bucket/%ff",
    "",
  ])
    expect(() => urlOfAddress(expandAddress(address, containers), containers)).toThrow(
      expect.objectContaining({ tag: "StoreError" }),
    );
  const requests: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    requests.push(request.url);
    return new Response(Uint8Array.of(7), { status: 206 });
  };
  const read = async (name: string, allow?: readonly string[]): Promise<Uint8Array> => {
    const files = new AddressedFiles({ fetch, allow }, [], (address) => urlOfAddress(address, containers));
    const address = expandAddress(`vcc://${name}/x`, containers);
    return (await files.read({ address, extent: { offset: 0, length: 1 } }, undefined, "/c", {})).bytes;
  };
  for (const name of ["a", "b"]) await expect(read(name)).rejects.toThrow(/is an address of this machine/);
  expect(requests).toEqual([]);
  expect(await read("a", ["http://localhost:9000/bucket"])).toEqual(Uint8Array.of(7));
  expect(requests).toEqual(["http://localhost:9000/bucket/x"]);
});

test("the configuration of a repository", async () => {
  const repository = await readRepository(filesOf("containers 2"));
  const containers = containersOf(repository?.configuration());
  expect(containers.map(({ prefix, name }) => [prefix, name])).toEqual(
    expect.arrayContaining([
      ["http://files.test/archive/", "archive"],
      ["s3://other/", "other"],
      ["az://container/", undefined],
    ]),
  );
  expect(containers).toHaveLength(6);
});

test("a configuration whose lists share their elements costs no more than its length", () => {
  const VECTOR = 10 << 2;
  const MAP = 9 << 2;
  // A list of itself, four times, and a map of itself: 4 ** 32 values.
  const list = [4, 0, 1, 2, 3, VECTOR, VECTOR, VECTOR, VECTOR, 8, VECTOR, 1];
  const map = [1, 97, 0, 2, 3, 1, 1, 0, MAP, 2, MAP, 1];
  for (const bytes of [list, map, [], [1], [255, VECTOR, 1], [200, 0, 2, VECTOR, 1]])
    expect(() => readFlexBuffer(Uint8Array.from(bytes)), String(bytes)).toThrow();
  // A list of two numbers.
  expect(readFlexBuffer(Uint8Array.of(2, 7, 9, 4, 4, 4, VECTOR, 1))).toEqual([7, 9]);
});
