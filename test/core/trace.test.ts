/** How much code runs for one read or write: `npm run trace` prints it. */
import { expect, test } from "vitest";
import { trace } from "../../scripts/trace.mjs";

/**
 * Files and functions, at most. A limit may only fall, until it is the aim of scripts/trace.mjs: lower it
 * when less runs.
 */
const LIMITS: Readonly<Record<string, readonly [number, number]>> = {
  "zstd chunk over HTTP, cold": [77, 390],
  "zstd chunk over HTTP, warm": [57, 290],
  "zstd chunk of a Map, cold": [60, 280],
  "zstd chunk of a Map, warm": [44, 185],
  "zstd chunk of files, cold": [67, 305],
  "inner chunk over HTTP, cold": [88, 515],
  "inner chunk over HTTP, warm": [60, 325],
  "partial set in files, cold": [75, 335],
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
