/** How much code runs for one read or write: `npm run trace` prints it. */
import { expect, test } from "vitest";
import { trace } from "../../scripts/trace.mjs";

/**
 * Files and functions, at most. A limit may only fall, until it is the aim of scripts/trace.mjs: lower it
 * when less runs.
 */
const LIMITS: Readonly<Record<string, readonly [number, number]>> = {
  "zstd chunk over HTTP, cold": [81, 374],
  "zstd chunk over HTTP, warm": [60, 256],
  "zstd chunk of a Map, cold": [64, 261],
  "zstd chunk of a Map, warm": [45, 161],
  "zstd chunk of files, cold": [70, 286],
  "inner chunk over HTTP, cold": [94, 526],
  "inner chunk over HTTP, warm": [64, 280],
  "partial set in files, cold": [85, 401],
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
