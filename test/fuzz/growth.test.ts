import { expect, it } from "vitest";
import { GROWING } from "./growing.js";
import { faultOf } from "./growth.js";

it.each(GROWING)("$name: the cost grows as the input does", async (growing) => {
  expect(await faultOf(growing)).toBeUndefined();
});

it("finds work that is quadratic, exponential, unbounded in memory, or ends in another error", async () => {
  const list = (length: number) => Array.from({ length }, (_, i) => String(i));
  const quadratic = (n: number) => () => list(n).filter((each, _, all) => all.indexOf(`${each}.`) >= 0);
  const sum = (n: number): number => (n === 0 ? 1 : sum(n - 1) + sum(n - 1));
  const found = [
    await faultOf({ name: "quadratic", sizes: [2000, 4000, 8000, 16_000, 32_000], make: quadratic }),
    await faultOf({ name: "exponential", sizes: [10, 20, 24, 26, 28], make: (n) => () => sum(n) }),
    await faultOf({ name: "memory", sizes: [1, 800], make: (n) => () => new Uint8Array(n << 20).fill(1) }),
    await faultOf({ name: "untyped", sizes: [1], make: (n) => () => new Array(-n) }),
    await faultOf({ name: "linear", sizes: [1000, 10_000, 100_000], make: (n) => () => list(n).join() }),
  ];
  expect(found.map((each) => each?.replace(/,.*/s, ""))).toEqual([
    "quadratic",
    "exponential",
    "memory",
    "untyped",
    undefined,
  ]);
});
