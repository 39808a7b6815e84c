import { expect, it } from "vitest";
import { fuzzVirtual, VIRTUAL_FILES } from "./virtual.js";

/** Enough for some seconds in all; `npm run nightly` takes 20,000. */
const INPUTS = 60;

it.each(VIRTUAL_FILES)("$name: mutated files", { timeout: 120_000 }, async (files) => {
  const { inputs, accepted } = await fuzzVirtual(files, INPUTS, 20_261_128);
  expect(inputs).toBe(INPUTS);
  // Both ways out are taken, or the mutations tell us nothing.
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(INPUTS);
});
