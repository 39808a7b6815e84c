/** How much code runs for one read or write: `npm run trace` prints it. */
import { expect, test } from "vitest";
import { trace } from "../../scripts/trace.mjs";

/**
 * Files and functions, at most. A limit may only fall, until it is the aim of scripts/trace.mjs: lower it
 * when less runs.
 */
const LIMITS: Readonly<Record<string, readonly [number, number]>> = {
  "zstd chunk over HTTP, cold": [77, 386],
  "zstd chunk over HTTP, warm": [57, 285],
  "zstd chunk of a Map, cold": [61, 277],
  "zstd chunk of a Map, warm": [45, 189],
  "zstd chunk of files, cold": [68, 296],
  "inner chunk over HTTP, cold": [98, 548],
  "inner chunk over HTTP, warm": [71, 347],
  "partial set in files, cold": [80, 393],
};

test("no more files and functions run than before", async () => {
  const rows = await trace();
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(LIMITS));
  for (const { name, files, functions } of rows) {
    const [mostFiles, mostFunctions] = LIMITS[name] ?? [0, 0];
    expect(files.length, `${name}: files`).toBeLessThanOrEqual(mostFiles);
    expect(functions, `${name}: functions`).toBeLessThanOrEqual(mostFunctions);
  }
}, 120_000);
