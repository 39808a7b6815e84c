/** examples/live/query.html: arrays become a table of duckdb-wasm, in Chromium. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { afterAll, expect, test } from "vitest";
import { withFolders } from "../../site/live.mjs";
import { get, open, root } from "../../src/index.js";
import { openStore } from "../../src/stores/addresses/open-store.js";
import { serve, startBrowser } from "../bundlers/serve.js";
import { readOracles, warnLoudly } from "../setup/oracles.js";

const { chromium } = readOracles();
const duckdb = resolve(".oracles/duckdb/node_modules/@duckdb/duckdb-wasm/dist");
const isThere = existsSync(duckdb) && chromium !== null;
if (!isThere)
  warnLoudly(
    "No duckdb-wasm or Chromium: its example is SKIPPED. scripts/oracles/install.sh nightly installs them.",
  );

const folder = mkdtempSync(join(tmpdir(), "wazarr-query-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Rows as the query of the page has them, worked out without DuckDB. */
async function expected(): Promise<string> {
  const store = root(await openStore("examples/live/places.zarr"));
  const read = async (name: string): Promise<unknown[]> =>
    Array.from((await get(await open(store.resolve(name), { kind: "array" }))).data);
  const [elevation, facing] = [await read("elevation"), await read("facing")];
  const counts = new Map<unknown, number>();
  for (const [i, side] of facing.entries())
    if (Number(elevation[i]) > 300) counts.set(side, (counts.get(side) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a).map((row) => row.join(" "));
  return `${facing.length} places: ${rows.join(", ")}`;
}

test.skipIf(!isThere)(
  "a query over Zarr arrays gives what their elements say",
  async () => {
    // What the CDN makes of both packages: a file each.
    const cdn = "https://cdn.jsdelivr.net/npm/";
    const page = readFileSync("examples/live/query.html", "utf8")
      .replaceAll(`${cdn}@duckdb/duckdb-wasm@1.32.0/+esm`, "/duckdb.js")
      .replaceAll(`${cdn}@duckdb/duckdb-wasm@1.32.0/dist/`, "/duckdb/")
      .replaceAll(`${cdn}apache-arrow@21.1.0/+esm`, "/arrow.js");
    const text = withFolders(page, { wazarr: "/dist/", examples: "/examples/" });
    expect(text).not.toContain("https://");
    writeFileSync(join(folder, "query.html"), text);
    await build({
      entryPoints: { duckdb: join(duckdb, "duckdb-browser.mjs"), arrow: "apache-arrow" },
      outdir: folder,
      bundle: true,
      format: "esm",
      platform: "browser",
      logLevel: "silent",
    });
    const site = await serve({ dist: "dist", duckdb, examples: "examples", "": folder });
    const browser = await startBrowser(chromium?.executable ?? "");
    try {
      expect(await browser.titleOf(`${site.url}/query.html`, 120)).toBe(await expected());
    } finally {
      await browser.close();
      site.close();
    }
  },
  180_000,
);
