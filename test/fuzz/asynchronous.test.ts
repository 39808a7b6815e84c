/**
 * Mutated chunks of codecs that hold others and so decode asynchronously: both kernels give the same
 * elements, or the same error.
 */
import { afterAll, expect, it } from "vitest";
import { setKernels } from "../../src/extend.js";
import { get, isZarrError, open } from "../../src/index.js";
import { fromBase64 } from "../core/codecs/harness.js";
import fixtures from "../fixtures/zarrs.json" with { type: "json" };
import { mutate, random } from "./mutate.js";

afterAll(() => setKernels("auto"));

const INPUTS = 1500;
const optional = fixtures.filter(({ name }) => name.startsWith("optional"));

it.each(optional)("$name", async ({ store }) => {
  const stored = Object.entries<string | undefined>(store);
  const values = new Map(stored.map(([key, value]) => [key, fromBase64(value ?? "")]));
  const key = stored.map(([key]) => key).find((key) => key.startsWith("/c/")) ?? "";
  const seed = values.get(key) ?? new Uint8Array();
  const next = random(20_261_123);
  let accepted = 0;
  const arrays: { array: Awaited<ReturnType<typeof open>>; kernels: "wasm" | "javascript" }[] = [];
  for (const kernels of ["wasm", "javascript"] as const) {
    setKernels(kernels);
    const array = await open(values);
    if (array.kind === "array") await array.prepare();
    arrays.push({ array, kernels });
  }
  for (let i = 0; i < INPUTS; i++) {
    values.set(key, mutate(seed, seed, next));
    const outcomes: unknown[] = [];
    for (const { array } of arrays) {
      if (array.kind !== "array") throw new Error("expected an array");
      outcomes.push(
        await get(array).then(
          ({ data }) => Array.from(Object(data)),
          (error: unknown) => {
            if (!isZarrError(error, "CodecError", "UnsupportedError")) throw error;
            return error.message;
          },
        ),
      );
    }
    expect(outcomes[1]).toEqual(outcomes[0]);
    if (typeof outcomes[0] !== "string") accepted++;
  }
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(INPUTS);
});
