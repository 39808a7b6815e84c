/** HttpStore in Chromium, reading from another origin: what CORS hides, forbids and asks for first. */
import { createServer } from "node:http";
import { build } from "esbuild";
import { type Browser, chromium, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { chromiumLaunchOptions } from "../../setup/chromium.js";
import { pattern } from "../../stores/conformance.js";
import { type Misbehaviour, serve, type TestServer } from "./server.js";

const launchOptions = chromiumLaunchOptions();

/** A page of its own origin, with the library as the global `stores`. */
async function servePage() {
  const { outputFiles } = await build({
    entryPoints: ["src/core/stores/http/http.ts"],
    bundle: true,
    format: "iife",
    globalName: "stores",
    write: false,
  });
  const script = outputFiles[0]?.text ?? "";
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(`<!doctype html><script>${script}</script>`);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe.skipIf(launchOptions === undefined)("HttpStore in Chromium, from another origin", () => {
  const value = pattern(1000);
  let server: TestServer;
  let site: Awaited<ReturnType<typeof servePage>>;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    server = await serve(new Map([["/v", value]]));
    site = await servePage();
    browser = await chromium.launch(launchOptions);
    page = await browser.newPage();
    await page.goto(site.url);
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
    await server?.close();
  });
  afterEach(() => server.reset());

  /** The result of a call in the page: bytes, undefined, or the tag and message of an error. */
  const call = async (method: string, ...parameters: unknown[]) => {
    const parameterText = JSON.stringify(parameters).slice(1, -1);
    const result: unknown = await page.evaluate(`
      new stores.HttpStore(${JSON.stringify(server.url)}).${method}(${parameterText}).then(
        (bytes) => bytes instanceof Uint8Array ? Array.from(bytes) : bytes,
        (error) => ({ tag: error.tag, status: error.status, message: error.message }))`);
    return result;
  };

  it.each<[Misbehaviour | undefined]>([
    [undefined],
    ["gzip"],
    ["hide-content-range"],
    ["ignore-range"],
    ["refuse-suffix"],
    ["refuse-preflight"],
    ["suffix-as-prefix"],
    ["refuse-head"],
  ])("reads values, ranges and suffixes from a server that does: %s", async (misbehaviour) => {
    server.misbehaviour = misbehaviour;
    expect(await call("get", "/v")).toEqual([...value]);
    expect(await call("getRange", "/v", { offset: 10, length: 20 })).toEqual([...value.subarray(10, 30)]);
    expect(await call("getRange", "/v", { suffixLength: 20 })).toEqual([...value.subarray(980)]);
    expect(await call("has", "/v")).toBe(true);
    expect(await call("get", "/missing")).toBeUndefined();
  });

  it("asks beforehand for suffix ranges only", async () => {
    await call("get", "/v");
    await call("getRange", "/v", { offset: 0, length: 3 });
    expect(server.requests.map(({ method }) => method)).toEqual(["GET", "GET"]);
  });

  it("names CORS when the server does not allow the origin", async () => {
    server.misbehaviour = "refuse-origin";
    expect(await call("get", "/v")).toMatchObject({
      tag: "StoreError",
      message: expect.stringContaining("CORS"),
    });
  });

  it("gives a typed error for half a body and for no answer", async () => {
    for (const misbehaviour of ["half", "hang-up"] as const) {
      server.misbehaviour = misbehaviour;
      expect(await call("get", "/v"), misbehaviour).toMatchObject({ tag: "StoreError" });
      expect(await call("getRange", "/v", { offset: 0, length: 100 })).toMatchObject({ tag: "StoreError" });
    }
  });

  it("asks for ranges of one value side by side, which the browser's cache would send one after another", async () => {
    let release = () => {};
    const bothCame = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.onRequest = () => {
      if (server.requests.length === 2) release();
      return bothCame;
    };
    const results: unknown = await page.evaluate(`{
      const store = new stores.HttpStore(${JSON.stringify(server.url)});
      Promise.all([0, 10].map(async (offset) => [...(await store.getRange("/v", { offset, length: 3 }))]));
    }`);
    expect(results).toEqual([[...value.subarray(0, 3)], [...value.subarray(10, 13)]]);
  });
});
