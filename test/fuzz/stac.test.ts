import { expect, test } from "vitest";
import { parseStac } from "../../src/stores/stac/index.js";
import { fuzzStac } from "./stac.js";

test("mutated documents of STAC", () => {
  const { inputs, accepted } = fuzzStac(4000, 20_261_128);
  // Both ways out are taken, or the mutations tell us nothing.
  expect(accepted).toBeGreaterThan(inputs / 20);
  expect(accepted).toBeLessThan(inputs);
});

test("a document of 50,000 assets is read as far as its bound, and its error is short", () => {
  const asset = {
    href: "a.tif",
    alternate: Object.fromEntries(Array.from({ length: 500 }, (_, i) => [i, {}])),
  };
  const assets = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [i, i === 0 ? asset : {}]));
  const document = parseStac({ stac_version: "1.1.0", type: "Feature", assets });
  expect(document.assets).toHaveLength(10_000);
  expect(document.assets[0]?.alternates).toHaveLength(100);
});
