/**
 * URL pipelines: what TensorStore and the parser of zarr-python's pull request 4192 make of the same
 * addresses (scripts/oracles/make_url_pipelines.py), what they open, and what the errors name.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { openDataset } from "../../../src/formats/xarray.js";
import { create, get, open, root, type Store } from "../../../src/index.js";
import { addressKind, parseAddress, splitNode } from "../../../src/stores/addresses/addresses.js";
import { openStore } from "../../../src/stores/addresses/open-store.js";
import { addressOfNode, splitPipeline } from "../../../src/stores/addresses/pipelines.js";
import { packZip } from "../../../src/stores/zip/zip.js";
import fixture from "../../fixtures/url-pipelines.json" with { type: "json" };

interface Answers {
  readonly tensorstore: { readonly driver: string; readonly paths: readonly string[] } | null;
  readonly zarrPython: readonly (readonly string[])[] | null;
}
const ADDRESSES: readonly (readonly [string, Answers])[] = Object.entries(fixture.addresses);

const bare = (path: string): string => path.split("/").filter(Boolean).join("/");

/** The paths from the outermost in, as TensorStore has them: a node's path is a part of the last. */
function pathsOf(text: string): string[] {
  const { form, address, archives, path } = parseAddress(text);
  const [, place = ""] = /^(?:file:\/\/|(?:s3|gs):\/\/[^/]+|https?:\/\/[^/]+)(.*)$/.exec(address) ?? [];
  const first = decodeURIComponent(place);
  const isPlain = form === "hierarchy";
  return (isPlain ? [`${first}/${path}`] : [first, ...archives, path]).map(bare);
}
const opens = (text: string): boolean => {
  try {
    parseAddress(text);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ tag: "InvalidArgumentError" });
    return false;
  }
};

/** What TensorStore does not know, or has no versions of, and what wazarr does not know. */
const MORE = /icechunk:|kerchunk:|\|zarr:|ZARR3|ZIP|^(?!\w+:).+\|/;
const FEWER = /ocdbt:|n5:|zarr3:\/\/b|zarr3:\.\.\//;

describe(`${ADDRESSES.length} addresses`, () => {
  test("are at least sixty", () => expect(ADDRESSES.length).toBeGreaterThanOrEqual(60));

  test.each(ADDRESSES)("%s", (text, { tensorstore, zarrPython }) => {
    const isOpened = opens(text);
    if (!MORE.test(text) && !FEWER.test(text)) expect(isOpened).toBe(tensorstore !== null);
    if (FEWER.test(text)) expect([isOpened, tensorstore === null]).toEqual([false, false]);
    if (!isOpened) return;
    if (tensorstore !== null) {
      expect(pathsOf(text)).toEqual(tensorstore.paths.map(bare));
      const version = { zarr: 2, zarr3: 3 }[tensorstore.driver];
      expect(parseAddress(text).zarrFormat).toBe(version);
    }
    // Its parser splits and refuses nothing that has schemes.
    expect(zarrPython).not.toBeNull();
    const ours = splitPipeline(text).segments.map(({ scheme, authority, path }) => [
      scheme,
      bare(`${authority ?? ""}${path}`),
    ]);
    const theirs = (zarrPython ?? [])
      .slice(1)
      .map(([scheme = "", body = ""]) => [scheme, bare(decodeURIComponent(body))]);
    expect(ours).toEqual(theirs);
  });
});

test.each([
  ["zip::s3://bucket/d.zip", "s3://bucket/d.zip", [], "/"],
  ["zip://in/a::s3://bucket/d.zip", "s3://bucket/d.zip", [], "/in/a"],
  ["zip://a::zip://b.zip::https://example.com/c", "https://example.com/c", ["/b.zip"], "/a"],
  ["zip::/tmp/d.zip", "/tmp/d.zip", [], "/"],
])("fsspec's chain %s", (text, address, archives, path) => {
  expect(parseAddress(text)).toMatchObject({ form: "zip", address, archives, path });
});

test("fsspec's references, and what is none of its chains", () => {
  expect(parseAddress("reference::s3://bucket/r")).toMatchObject({ form: "references", isExplicit: true });
  expect(() => parseAddress("simplecache::s3://bucket/d.zip")).toThrow(/"simplecache::" is not known/);
  for (const text of ["a::b.zarr", "http://[::1]/a", "https://example.com/a::b"])
    expect(splitPipeline(text)).toEqual({ root: text, segments: [] });
});

test.each([
  ["s3://bucket/a|foo:b", /^"s3:\/\/bucket\/a\|foo:b": "\|foo:b": expected one of zip:, .*zarr3:/],
  ["a|zarr3:x|zip:", /"\|zip:": nothing comes after zarr3:/],
  ["a|zip:|zip:b", /"\|zip:b": expected the path of an archive in zip:/],
  ["a|zip:r|icechunk:", /"\|icechunk:": only an archive is opened within/],
  ["a|zip:%ff", /"\|zip:%ff": expected percent-encoded UTF-8/],
  ["a|icechunk://v1/", /"\|icechunk:\/\/v1\/": expected icechunk:\/\/branch\.NAME/],
  ["https://example.com/a?secret=1|zarr3:x|", /^(?!.*secret)/],
])("the error of %s names the segment", (text, message) => {
  expect(() => parseAddress(text)).toThrow(message);
});

test("nodes and kinds", () => {
  expect(addressOfNode("a.zip", "/x y/z|")).toBe("a.zip|zarr:x%20y/z%7C");
  expect(splitNode("a.zip|zarr:x%20y/z%7C")).toEqual({ store: "a.zip", path: "/x y/z|" });
  expect(splitNode("a|zip:b/|zarr3:c/d")).toEqual({ store: "a|zip:b/|zarr3:", path: "/c/d" });
  expect(splitNode("a.zarr")).toEqual({ store: "a.zarr", path: "/" });
  const kinds = ["a", "a.zip", "a|zip:", "a.zip|zarr:x", "a|zarr:x", "s3://b/a", "a|kerchunk:"].map(
    addressKind,
  );
  expect(kinds).toEqual(["path", "path", "zip", "zip", "node", "bucket", "references"]);
});

test("20,000 random addresses are opened or refused with a typed error, and nodes come back", () => {
  const parts = [
    "|",
    "zip",
    "icechunk",
    "zarr3",
    ":",
    "::",
    "//",
    "/",
    "@",
    "branch.",
    "%",
    "%41",
    "..",
    "a",
    "é",
    "?",
    "s3",
  ];
  let seed = 55;
  const next = (below: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
  let opened = 0;
  for (let i = 0; i < 20_000; i++) {
    const text = Array.from({ length: 1 + next(12) }, () => parts[next(parts.length)]).join("");
    if (!opens(text)) continue;
    opened += 1;
    const { store, path } = splitNode(text);
    expect(opens(store)).toBe(true);
    expect(path).toMatch(/^\/(?:[^/]+(?:\/[^/]+)*)?$/);
    const again = splitNode(addressOfNode("a.zarr", path));
    expect(again).toEqual({ store: "a.zarr", path });
  }
  expect(opened).toBeGreaterThan(1000);
});

describe("what segments open", () => {
  const folder = mkdtempSync(join(tmpdir(), "wazarr-pipelines-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const at = (name: string): string => join(folder, name);
  const pack = async (store: Store, name: string): Promise<void> => {
    const parts: Uint8Array[] = [];
    for await (const part of packZip(store)) parts.push(part);
    mkdirSync(at("outer"), { recursive: true });
    writeFileSync(at(name), Buffer.concat(parts));
  };
  const namesAt = async (address: string) => (await open(await openStore(address))).attrs.name;

  beforeAll(async () => {
    const whole = new FileSystemStore(at("data.zarr"));
    await create(root(whole), { attributes: { name: "three" } });
    const array = await create(root(whole).resolve("deep/a b"), {
      shape: [2],
      chunkShape: [2],
      dtype: "int16",
      dimensionNames: ["x"],
      attributes: { name: "array" },
    });
    expect(array.shape).toEqual([2]);
    writeFileSync(at("data.zarr/.zgroup"), '{"zarr_format":2}');
    writeFileSync(at("data.zarr/.zattrs"), '{"name":"two"}');
    await pack(whole, "outer/inner.bin");
    await pack(new FileSystemStore(at("outer")), "nested");
  });

  test("directories, by path and by URL", async () => {
    expect(await namesAt(`${at("data.zarr")}|zarr3:`)).toBe("three");
    expect(await namesAt(`${at("data.zarr")}|zarr2:`)).toBe("two");
    expect(await namesAt(`${pathToFileURL(at("data.zarr")).href}|zarr:deep/a%20b`)).toBe("array");
    await expect(namesAt(`${at("data.zarr")}|zarr2:deep/a%20b`)).rejects.toMatchObject({
      tag: "NotFoundError",
    });
  });

  test("archives in archives, which need not be called .zip", async () => {
    const address = `${at("nested")}|zip:inner.bin|zip:deep/|zarr3:a%20b`;
    const array = await open(await openStore(address), { kind: "array" });
    expect(Array.from((await get(array)).data, Number)).toEqual([0, 0]);
    expect(await namesAt(`zip://deep/a b::zip://inner.bin::${at("nested")}`)).toBe("array");
    await expect(namesAt(`${at("nested")}|zip:none.bin|zip:`)).rejects.toThrow(/none\.bin/);
  });

  test("a data set of a group within", async () => {
    const address = `${at("data.zarr")}|zarr3:deep`;
    for (const where of [address, root(await openStore(address))])
      expect(Object.keys((await openDataset(where)).variables)).toEqual(["a b"]);
  });
});
