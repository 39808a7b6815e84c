/** What addresses name, by their spelling: in Node and in pages. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { HttpStore } from "../../../src/core/stores/http/http.js";
import { NetworkStore } from "../../../src/core/stores/network-store.js";
import { type Address, parseAddress } from "../../../src/stores/addresses/addresses.js";
import { openStore as openInNode } from "../../../src/stores/addresses/open-store.js";
import { openStore as openInPage } from "../../../src/stores/addresses/open-store-browser.js";
import { AzureStore } from "../../../src/stores/buckets/azure.js";
import { GcsStore } from "../../../src/stores/buckets/gcs.js";
import { S3Store } from "../../../src/stores/buckets/s3.js";
import { IcechunkStore } from "../../../src/stores/icechunk/icechunk.js";
import { ReferenceStore } from "../../../src/stores/references/reference.js";
import { ZipStore } from "../../../src/stores/zip/zip.js";
import { serve, type TestServer } from "../../core/stores/server.js";
import icechunk from "../../fixtures/icechunk.json" with { type: "json" };
import parquet from "../../fixtures/references-parquet.json" with { type: "json" };

/** Address, what it is, where, and without prefix and revision if that is another. */
const ADDRESSES: readonly (readonly [
  text: string,
  form: Address["form"],
  place: Address["place"],
  address?: string,
  revision?: Address["revision"],
])[] = [
  ["data.zarr", "hierarchy", "path"],
  ["data.zarr/zarr.json", "hierarchy", "path"],
  ["zarr.json", "hierarchy", "path"],
  ["https://example.com/data.zarr", "hierarchy", "url"],
  ["HTTP://example.com/data.zarr?a.json", "hierarchy", "url"],
  ["https://example.com/data.zarr/zarr.json?a=b", "hierarchy", "url", "https://example.com/data.zarr?a=b"],
  ["s3://bucket/data.zarr/.zmetadata", "hierarchy", "bucket", "s3://bucket/data.zarr"],
  ["s3://bucket", "hierarchy", "bucket"],
  ["gs://bucket/prefix", "hierarchy", "bucket"],
  ["gcs://bucket/prefix", "hierarchy", "bucket"],
  ["az://container/prefix", "hierarchy", "bucket"],
  ["abfs://container@account.dfs.core.windows.net/prefix", "hierarchy", "bucket"],
  ["data.zip", "zip", "path"],
  ["s3://bucket/data.OZX", "zip", "bucket"],
  ["https://example.com/data.ozx?a=b", "zip", "url"],
  ["https://example.com/data|zip:", "zip", "url", "https://example.com/data"],
  ["data.bin|zip:", "zip", "path", "data.bin"],
  ["https://example.com/references.json", "references", "url"],
  ["gs://bucket/references.json", "references", "bucket"],
  ["s3://bucket/what?.json", "references", "bucket"],
  ["s3://bucket/references.parq", "parquet", "bucket"],
  ["https://example.com/references.parquet/#x", "parquet", "url"],
  ["https://example.com/list|kerchunk:", "references", "url", "https://example.com/list"],
  ["https://example.com/data.nc", "virtual", "url"],
  ["data.bin|virtual:", "virtual", "path", "data.bin"],
  ["https://example.com/collections/c/items/i?token=x", "stac", "url"],
  ["https://example.com/stac/collections/c", "stac", "url"],
  ["https://example.com/collections/c.zarr", "hierarchy", "url"],
  ["item|stac:zarr-https", "stac", "path", "item"],
  ["s3://bucket/item.json|stac:a|kerchunk:", "references", "bucket", "s3://bucket/item.json"],
  ["repository|icechunk:", "icechunk", "path", "repository"],
  ["s3://bucket/r|icechunk://branch.main/", "icechunk", "bucket", "s3://bucket/r", { branch: "main" }],
  ["https://example.com/r|icechunk:@tag.v1/", "icechunk", "url", "https://example.com/r", { tag: "v1" }],
  ["r|icechunk://4N0217AZA4VNPYD0HR0G/", "icechunk", "path", "r", { snapshot: "4N0217AZA4VNPYD0HR0G" }],
  [
    "abfs://c@account.dfs.core.windows.net|icechunk:",
    "icechunk",
    "bucket",
    "abfs://c@account.dfs.core.windows.net",
  ],
];

const CASES = ADDRESSES.map(([text, form, place, address = text, revision = {}]) => ({
  text,
  expected: { form, place, address, revision },
}));
test.each(CASES)("$text", ({ text, expected }) => {
  expect(parseAddress(text)).toMatchObject(expected);
});

test("docs/stores-addresses.md has a row for every form and scheme", () => {
  const page = readFileSync("docs/stores-addresses.md", "utf8");
  const shown = [...page.matchAll(/^\| (`.+?) \|/gm)].flatMap(([, cell = ""]) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, written = ""]) => {
      const address = written.replace("\\|", "|").replace("ADDRESS", "x");
      // The page has a table of segments, too.
      return parseAddress(
        /^(?:zip|icechunk|kerchunk|virtual|stac|zarr\d?):/.test(address) ? `x|${address}` : address,
      );
    }),
  );
  expect(new Set(shown.map(({ form }) => form))).toEqual(new Set(ADDRESSES.map(([, form]) => form)));
  expect(new Set(shown.map(({ place }) => place))).toEqual(new Set(["path", "url", "bucket"]));
});

describe("one address opens the same store in Node and in a page", () => {
  let server: TestServer;
  const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64"));
  beforeAll(async () => {
    const values = new Map<string, Uint8Array>([["/refs.json", Buffer.from('{".zgroup":"{}"}')]]);
    for (const [key, base64] of Object.entries(parquet.folders.pyarrow.files))
      values.set(`/refs.parq/${key}`, bytesOf(base64));
    for (const [key, base64] of Object.entries(icechunk.repositories[2].values))
      values.set(`/repository${key}`, bytesOf(base64));
    server = await serve(values);
    vi.stubGlobal("location", new URL(`${server.url}/viewer/`));
  });
  afterAll(async () => {
    vi.unstubAllGlobals();
    await server.close();
  });
  beforeEach(() => server.reset());

  test.each([
    ["HOST/data.zarr", HttpStore],
    ["HOST/data.ozx", ZipStore],
    ["HOST/data|zip:", ZipStore],
    ["HOST/refs.json", ReferenceStore],
    ["HOST/refs.parq", NetworkStore],
    ["HOST/repository|icechunk://branch.main/", IcechunkStore],
    ["s3://bucket/data.zarr", S3Store],
    ["gs://bucket/data.zarr", GcsStore],
    ["abfs://container@account.dfs.core.windows.net/data.zarr", AzureStore],
    ["s3://bucket/data.zip", ZipStore],
  ])("%s", async (text, kind) => {
    const address = text.replace("HOST", server.url);
    const stores = await Promise.all([openInNode(address), openInPage(address)]);
    for (const store of stores) expect(store).toBeInstanceOf(kind);
    expect(stores[0].constructor).toBe(stores[1].constructor);
    const [first, second] = stores.map((store) => (store instanceof HttpStore ? store.url.href : undefined));
    expect(first).toBe(second);
  });

  test("paths count from the page", async () => {
    const store = await openInPage("../data.zarr?x=1");
    expect(store instanceof HttpStore && store.url.href).toBe(`${server.url}/data.zarr?x=1`);
    expect(await openInPage("../refs.json")).toBeInstanceOf(ReferenceStore);
    expect(await openInPage("../repository|icechunk:")).toBeInstanceOf(IcechunkStore);
    await expect(openInPage("file:///etc/passwd")).rejects.toMatchObject({ tag: "InvalidArgumentError" });
    await expect(openInPage("az://container/x")).rejects.toThrow("account");
    expect(server.requests.every(({ key }) => /^\/(refs|repository)/.test(key))).toBe(true);
  });
});
