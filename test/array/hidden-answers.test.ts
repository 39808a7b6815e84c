/**
 * Servers whose 404 has no CORS header: a page sees a missing document as a request without an answer, and so
 * cannot tell it from a lost connection. In Node, where `location` and `fetch` are those of the test.
 */
import { URL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  consolidateMetadata,
  create,
  HttpStore,
  open,
  root,
  withConsolidatedMetadata,
} from "../../src/index.js";

const values = new Map<string, Uint8Array>();
let requests: string[] = [];
let failures = 0;

/** What a page's `fetch` gives of such a server. */
async function fetchOfPage(request: Request): Promise<Response> {
  const key = new URL(request.url).pathname;
  requests.push(key);
  const value = values.get(key);
  if (value === undefined || failures-- > 0) throw new TypeError("Failed to fetch");
  return new Response(value.slice());
}
const storeOf = () => new HttpStore("https://data.test", { fetch: fetchOfPage, retry: { baseDelay: 0 } });

beforeEach(async () => {
  values.clear();
  requests = [];
  failures = 0;
  await create(root(values), { zarrFormat: 2, attributes: { of: "group" } });
  const array = { zarrFormat: 2, shape: [2], dtype: "int8", attributes: { of: "array" } } as const;
  await create(root(values).resolve("a"), array);
  vi.stubGlobal("location", new URL("https://page.test/"));
});
afterEach(() => vi.unstubAllGlobals());

test("an array of v2 is opened, with one request for each document", async () => {
  const array = await open(root(storeOf()).resolve("a"), { kind: "array" });
  expect(array.attrs).toEqual({ of: "array" });
  expect(requests.sort()).toEqual(["/a/.zarray", "/a/.zattrs", "/a/zarr.json"]);
});

test("so is a group of v2, whichever kind is asked for", async () => {
  for (const options of [{}, { kind: "group" }] as const) {
    const group = await open(storeOf(), options);
    expect(group.attrs).toEqual({ of: "group" });
  }
  expect(requests.length).toBe(7);
});

test("where nothing is found, the error tells of every document", async () => {
  const failed = await open(root(storeOf()).resolve("none")).catch((error: unknown) => error);
  expect(failed).toMatchObject({ tag: "StoreError", key: "/none/zarr.json", isTransient: true });
  for (const words of ["Failed to fetch", "CORS", "no answer for /none/.z"])
    expect(failed).toMatchObject({ message: expect.stringContaining(words) });
  expect(failed).toMatchObject({ message: expect.not.stringContaining("not found") });
});

test("a connection that was lost for a moment is tried again", async () => {
  failures = 3;
  const array = await open(root(storeOf()).resolve("a"), { kind: "array" });
  expect(array.attrs).toEqual({ of: "array" });
});

test("consolidated metadata of v2 are found", async () => {
  await consolidateMetadata(values);
  const store = await withConsolidatedMetadata(storeOf());
  expect(store.contents().map(({ path }) => path)).toEqual(["/", "/a"]);
  expect(requests).toEqual(["/zarr.json", "/.zmetadata"]);
});

test("another answer than none ends the search", async () => {
  const refuse = async () => new Response(null, { status: 403 });
  const store = new HttpStore("https://data.test", { fetch: refuse });
  await expect(open(store)).rejects.toMatchObject({ status: 403 });
});

test("outside of pages each document is tried three times, and the other format all the same", async () => {
  vi.unstubAllGlobals();
  const array = await open(root(storeOf()).resolve("a"), { kind: "array" });
  expect(array.attrs).toEqual({ of: "array" });
  expect(requests.filter((key) => key === "/a/zarr.json")).toHaveLength(3);
});
