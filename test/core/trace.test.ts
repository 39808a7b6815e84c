/** How much code runs for one read or write: `npm run trace` prints it. */
import { expect, test } from "vitest";
import { trace } from "../../scripts/trace.mjs";

/**
 * Files and functions, at most. A limit may only fall, until it is the aim of scripts/trace.mjs: lower it
 * when less runs.
 */
const LIMITS: Readonly<Record<string, readonly [number, number]>> = {
  "zstd chunk over HTTP, cold": [72, 338],
  "zstd chunk over HTTP, warm": [47, 211],
  "zstd chunk of a Map, cold": [57, 226],
  "zstd chunk of a Map, warm": [33, 121],
  "zstd chunk of files, cold": [64, 253],
  "inner chunk over HTTP, cold": [87, 497],
  "inner chunk over HTTP, warm": [54, 243],
  "partial set in files, cold": [81, 376],
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
