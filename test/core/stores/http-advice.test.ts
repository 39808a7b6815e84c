/** What errors advise whose URL is not quite that of a hierarchy. */
import { expect, test } from "vitest";
import { HttpStore, open, withMaybeConsolidatedMetadata } from "../../../src/index.js";
import { verify } from "../../../src/main/copy.js";

/** A server that answers each path with the same page. */
const pages = async (): Promise<Response> =>
  new Response("<!doctype html><title>Log in</title>", {
    headers: { "content-type": "text/html; charset=utf-8" },
  });
const nothing = async (): Promise<Response> => new Response(null, { status: 404 });

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no error",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

test("an HTML page in place of the documents", async () => {
  const store = new HttpStore("https://example.com/a.zarr", { fetch: pages });
  expect(await messageOf(open(store))).toMatch(/no Zarr.*the server answered with an HTML page.*credentials/);
  const known = withMaybeConsolidatedMetadata(new HttpStore("https://example.com/a.zarr", { fetch: pages }));
  expect(await messageOf(known.then((each) => open(each)))).toContain("an HTML page");
  const missing = new HttpStore("https://example.com/a.zarr", { fetch: nothing });
  expect(await messageOf(open(missing))).not.toContain("HTML");
});

test.each(["zarr.json", ".zgroup", ".zarray", ".zmetadata", "zarr.json/"])(
  "a URL that ends in /%s",
  async (name) => {
    const store = new HttpStore(`https://example.com/a.zarr/${name}`, { fetch: nothing });
    const advice = `remove /${name.replace("/", "")} from it (node`;
    expect(await messageOf(open(store))).toContain(advice);
    expect(await messageOf(verify(store))).toContain(advice);
  },
);

// In a page they are relative to its address.
test.skipIf("location" in globalThis)("a URL without its scheme", () => {
  for (const url of ["example.com/a.zarr", "data.example.com:8080/x", "localhost:8080/a.zarr", "example.com"])
    expect(() => new HttpStore(url)).toThrow("begin it with https://");
  expect(() => new HttpStore("a.zarr?key=secret")).toThrow(/^(?!.*secret)/);
  expect(() => new HttpStore("./folder/a")).toThrow(/^(?!.*begin it)/);
});
