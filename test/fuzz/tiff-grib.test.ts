import { expect, it } from "vitest";
import { fuzzFiles, TARGETS } from "./tiff-grib.js";

/** Enough for some seconds in all. */
const INPUTS = 1500;

it.each(TARGETS)("$name: mutated files", { timeout: 120_000 }, async (target) => {
  const { inputs, accepted } = await fuzzFiles(target, INPUTS, 20_261_128);
  expect(inputs).toBe(INPUTS);
  // Both ways out are taken, or the mutations tell us nothing.
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(INPUTS);
});
