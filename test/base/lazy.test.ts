import { expect, test } from "vitest";
import { lazy } from "../../src/base/loading.js";

test("is loaded once, for those who come while it loads too, who go on together", async () => {
  const settle: (() => void)[] = [];
  const module = lazy(() => new Promise<number>((resolve) => settle.push(() => resolve(settle.length))));
  const arrived: number[] = [];
  const waiting = [module(), module(), module()].map(async (loading, i) => {
    expect(await loading).toBe(1);
    arrived.push(i);
  });
  expect(settle.length).toBe(1);
  settle[0]?.();
  await waiting[0];
  expect(arrived).toEqual([0, 1, 2]);
  await Promise.all(waiting);
  expect(await module()).toBe(1);
  expect(settle.length).toBe(1);
});

test("a load that failed fails for all who waited for it, and is tried again", async () => {
  let loads = 0;
  const module = lazy(async () => {
    if (++loads === 1) throw new Error("offline");
    return loads;
  });
  const first = [module(), module()];
  for (const load of first) await expect(load).rejects.toThrow("offline");
  expect(await module()).toBe(2);
  expect(loads).toBe(2);
});
