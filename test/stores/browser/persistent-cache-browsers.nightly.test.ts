/** A page that is loaded again shows its first picture without a request for data. */
import { createServer } from "node:http";
import { build } from "esbuild";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { create, set } from "../../../src/index.js";
import { serve, type TestServer } from "../../core/stores/server.js";
import { installedBrowsers } from "../../setup/browser-processes.js";
import { warnLoudly } from "../../setup/oracles.js";

const browsers = installedBrowsers();
if (browsers.length === 0) warnLoudly("No browsers: tests of caches that outlive a page are SKIPPED.");

const values = new Map<string, Uint8Array>();
let server: TestServer;
let script: string;

beforeAll(async () => {
  for (const [name, layout] of Object.entries({
    plain: { chunkShape: [32, 32] },
    sharded: { chunkShape: [8, 8], shards: [64, 64] },
  })) {
    const map = new Map<string, Uint8Array>();
    const array = await create(map, { shape: [64, 64], dtype: "int16", codecs: ["zstd"], ...layout });
    const data = Int16Array.from({ length: 4096 }, (_, i) => (i * 31) % 977);
    await set(array, null, { data, shape: [64, 64] });
    for (const [key, value] of map) values.set(`/${name}${key}`, value);
  }
  server = await serve(values);
  server.versionHeader = "etag";
  // The first time, the page waits until all is kept and loads itself again.
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { get, HttpStore, open, slice } from "../../../src/index.js";
        import { withPersistentCache } from "../../../src/stores/browser/persistent-cache.js";
        const round = Number(location.hash.slice(1) || 0);
        const validate = location.pathname === "/validate";
        async function picture(name) {
          const store = withPersistentCache(new HttpStore(SERVER + "/" + name), { maxBytes: 1 << 24, validate });
          const array = await open.v3(store, { kind: "array" });
          const { data } = await get(array, [slice(3, 20), slice(5, 30)]);
          return data.reduce((total, each) => total + each, 0);
        }
        async function kept() {
          let count = 0;
          for (const name of await caches.keys()) count += (await (await caches.open(name)).keys()).length;
          return count;
        }
        async function run() {
          if (globalThis.caches === undefined) return { missing: "caches" };
          const sums = [await picture("plain"), await picture("sharded")];
          for (let [before, same] = [-1, 0]; same < 5; ) {
            await new Promise((resolve) => setTimeout(resolve, 100));
            const now = await kept();
            [before, same] = [now, now === before ? same + 1 : 0];
          }
          return { sums, kept: await kept() };
        }
        run().catch((error) => ({ error: String(error) })).then(async (outcome) => {
          await fetch("/outcomes", { method: "POST", body: JSON.stringify({ round, ...outcome }) });
          if (round === 0) { location.hash = "1"; location.reload(); }
        });`,
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
afterAll(() => server?.close());
beforeEach(() => server.reset());

interface Outcome {
  readonly round: number;
  readonly sums?: readonly number[];
  readonly kept?: number;
  readonly missing?: string;
  readonly error?: string;
}

describe.skipIf(browsers.length === 0).each(browsers)("in $name", (browser) => {
  it.each(["once", "validate"])(
    "%s",
    async (path) => {
      server.versionHeader = "etag";
      const outcomes: Outcome[] = [];
      const asked: string[][] = [];
      let finished: () => void = () => {};
      const both = new Promise<void>((resolve) => {
        finished = resolve;
      });
      const site = createServer(async (request, response) => {
        if (request.method === "POST") {
          outcomes.push(JSON.parse((await request.setEncoding("utf8").toArray()).join("")));
          const requests = server.requests.filter(({ method }) => method !== "OPTIONS");
          asked.push(requests.map(({ method, key, range = "" }) => `${method} ${key} ${range}`.trim()));
          server.requests.length = 0;
          if (outcomes.length === 2) finished();
        }
        const isScript = request.url === "/main.js";
        response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
        response.setHeader("cache-control", "no-store");
        response.end(isScript ? script : '<!doctype html><script type="module" src="/main.js"></script>');
      });
      await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
      const address = site.address();
      const port = typeof address === "object" ? address?.port : "";
      const running = await browser.open(`http://127.0.0.1:${port}/${path}`);
      try {
        await both;
        const [first, second] = outcomes;
        expect(first).toMatchObject({ round: 0, sums: [expect.any(Number), expect.any(Number)] });
        expect(second).toEqual({ ...first, round: 1 });
        expect(asked[0]?.length).toBeGreaterThan(4);
        const looks = new Set(asked[0]?.map((request) => `GET ${request.split(" ")[1]} bytes=0-0`));
        expect(new Set(asked[1])).toEqual(path === "once" ? new Set() : looks);
        expect(asked[1]?.length).toBe(path === "once" ? 0 : looks.size);
      } finally {
        await running.close();
        site.closeAllConnections();
        site.close();
      }
    },
    90_000,
  );
});
