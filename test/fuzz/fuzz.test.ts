import { expect, it } from "vitest";
import { fuzz } from "./fuzz.js";
import { TARGETS } from "./targets.js";

/** Enough for a minute in all; `npm run nightly` takes a million. */
const INPUTS = 5_000;

it.each(TARGETS)("$name: mutated inputs", async (target) => {
  const { inputs, accepted } = await fuzz(target, INPUTS, 20_261_121);
  expect(inputs).toBe(INPUTS);
  // Both ways out are taken, or the mutations tell us nothing.
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(INPUTS);
});
