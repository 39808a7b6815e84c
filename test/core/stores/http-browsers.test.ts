/**
 * Servers that misbehave, read by Node, Chromium and Firefox: the same comes of it, whatever the platform
 * makes of a broken connection.
 */
import { createServer } from "node:http";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { create, set } from "../../../src/index.js";
import { installedBrowsers } from "../../setup/browser-processes.js";
import { runScenarios, SCENARIOS, VALUE } from "./http-scenarios.js";
import { type Misbehaviour, serve, type TestRequest, type TestServer } from "./server.js";

/** For how many requests, and how, the server misbehaves below a path. */
const MISBEHAVIOUR: Readonly<Record<string, readonly [how: Misbehaviour, requests: number]>> = {
  unavailable: [{ status: 503 }, 2],
  "unavailable-part": [{ status: 500 }, 1],
  "too-many": [{ status: 429, headers: { "retry-after": "0" } }, 1],
  "too-many-for-long": [{ status: 429, headers: { "retry-after": "60" } }, 9],
  reset: ["reset", 1],
  "reset-part": ["reset", 1],
  "reset-in-body": ["reset-half", 1],
  "reset-in-body-always": ["reset-half", 99],
  "half-body": ["half", 1],
  "half-body-always": ["half", 99],
  "slow-headers": ["late", 1],
  "slow-body": ["trickle", 1],
  "no-headers": ["silent", 1],
  "body-stops": ["stall", 1],
  "wrong-content-range": ["wrong-content-range", 9],
  gzip: ["gzip", 9],
  "gzip-part": ["gzip-part", 9],
};
const shape = [64, 64];
const SHARDED = { shape, chunkShape: [8, 8], shards: shape, dtype: "int32" } as const;

const values = new Map<string, Uint8Array>();
let versions: readonly ReadonlyMap<string, Uint8Array>[];
let server: TestServer;

async function written(value: number): Promise<Map<string, Uint8Array>> {
  const map = new Map<string, Uint8Array>();
  await set(await create(map, SHARDED), null, value);
  return new Map([...map].map(([key, bytes]) => [`/changing-etag${key}`, bytes]));
}

beforeAll(async () => {
  for (const name of Object.keys(SCENARIOS)) values.set(`/${name}/v`, VALUE);
  values.set("/aborted/urgent", VALUE);
  versions = [await written(1), await written(2)];
  server = await serve(values);
});
afterAll(() => server.close());

beforeEach(() => {
  server.reset();
  server.versionHeader = "etag";
  for (const [key, value] of versions[0] ?? []) values.set(key, value);
  const counts = new Map<string, number>();
  server.onRequest = (request) => {
    const { method, key } = request;
    // A browser's preflight is answered, whatever became of the request before it.
    if (method === "OPTIONS") {
      server.misbehaviour = undefined;
      return;
    }
    const [, name = ""] = key.split("/");
    const count = (counts.get(name) ?? 0) + 1;
    if (name !== "changing-etag") counts.set(name, count);
    else if (key.includes("/c/")) {
      counts.set(name, count);
      // Between the index and the rest.
      if (count === 2) for (const [each, value] of versions[1] ?? []) values.set(each, value);
    }
    const [how, requests] = MISBEHAVIOUR[name] ?? [undefined, 0];
    const refused: Misbehaviour | undefined = isRefused(name, request) ? { status: 403 } : undefined;
    server.misbehaviour = count <= requests ? how : refused;
  };
});

function isRefused(name: string, { method, search, range = "", headers }: TestRequest): boolean {
  if (name === "expired-token") return headers.authorization !== "Bearer new";
  return name === "presigned" && search !== `?signature=${method}${range}`;
}

function expectOutcomes(outcomes: Readonly<Record<string, unknown>>): void {
  const right = { isRight: true };
  const broken = { error: "StoreError", isTransient: true };
  expect(outcomes).toMatchObject({
    unavailable: right,
    "unavailable-part": right,
    "too-many": right,
    "too-many-for-long": { ...broken, status: 429, retryAfter: "60" },
    reset: right,
    "reset-part": right,
    "reset-in-body": right,
    "reset-in-body-always": broken,
    "half-body": right,
    "half-body-always": broken,
    "slow-headers": right,
    "slow-body": right,
    "no-headers": right,
    "body-stops": right,
    "wrong-content-range": { error: "StoreError", isTransient: false },
    gzip: right,
    "changing-etag": { isRight: true, is: [2] },
    "expired-token": { isRight: true, renewals: 1 },
    presigned: { isRight: true, has: true },
    aborted: { settled: ["fulfilled", "rejected", "fulfilled"] },
  });
  // Whether a platform decodes a part that was compressed is its own affair; nothing wrong may come of it.
  expect([{ isRight: true }, expect.objectContaining({ error: "StoreError" })]).toContainEqual(
    outcomes["gzip-part"],
  );
  const asked = server.requests.filter(({ key }) => key.startsWith("/aborted")).map(({ key }) => key);
  expect(new Set(asked)).toEqual(new Set(["/aborted/v", "/aborted/urgent"]));
}

it("in Node", async () => {
  expectOutcomes(await runScenarios(server.url));
});

const browsers = installedBrowsers();

describe.skipIf(browsers.length === 0)("in a page of another origin", () => {
  let script: string;
  beforeAll(async () => {
    const { outputFiles } = await build({
      stdin: {
        contents: `
          import { runScenarios } from "./http-scenarios.js";
          runScenarios(SERVER).then((outcomes) => fetch("/outcomes", { method: "POST", body: JSON.stringify(outcomes) }));`,
        resolveDir: import.meta.dirname,
      },
      define: { SERVER: JSON.stringify(server.url) },
      bundle: true,
      format: "esm",
      external: ["node:*"],
      write: false,
    });
    script = outputFiles[0]?.text ?? "";
  });

  it.each(browsers)("in $name", async (browser) => {
    let tell: (outcomes: Readonly<Record<string, unknown>>) => void = () => {};
    const outcomes = new Promise<Readonly<Record<string, unknown>>>((resolve) => {
      tell = resolve;
    });
    const site = createServer(async (request, response) => {
      if (request.method === "POST") tell(JSON.parse((await request.setEncoding("utf8").toArray()).join("")));
      const isScript = request.url === "/main.js";
      response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
      response.end(isScript ? script : '<!doctype html><script type="module" src="/main.js"></script>');
    });
    await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
    const address = site.address();
    const port = typeof address === "object" ? address?.port : "";
    const running = await browser.open(`http://127.0.0.1:${port}/`);
    try {
      expectOutcomes(await outcomes);
    } finally {
      await running.close();
      site.closeAllConnections();
      site.close();
    }
  });
});
