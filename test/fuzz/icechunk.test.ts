import { expect, it } from "vitest";
import { fuzzIcechunk, ICECHUNK_FILES } from "./icechunk.js";

/** Enough for some seconds in all; `npm run nightly` takes 20,000. */
const INPUTS = 250;

it.each(ICECHUNK_FILES)("$name: mutated files of a repository", { timeout: 120_000 }, async (file) => {
  const { inputs, accepted } = await fuzzIcechunk(file, INPUTS, 20_261_126);
  expect(inputs).toBe(INPUTS);
  // Both ways out are taken, or the mutations tell us nothing.
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(INPUTS);
});
