/** Locks on keys: who waits for whom. */
import { expect, test } from "vitest";
import { areLocked, lockKeys } from "../../src/core/stores/key-locks.js";
import type { AbsolutePath } from "../../src/core/stores/store.js";

/** Every promise that can settle by now has. */
const settle = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/** Writers that lock when they are made; `holding` names those that hold their keys. */
function writers() {
  const store = {};
  const holding: string[] = [];
  const lock = (name: string, keys: readonly AbsolutePath[]) => {
    const locked = lockKeys(store, keys).then((unlock) => {
      holding.push(name);
      return unlock;
    });
    return async () => {
      const unlock = await locked;
      holding.splice(holding.indexOf(name), 1);
      await unlock();
      await settle();
    };
  };
  return { store, holding, lock };
}

test("three writers of one key hold it one after the other, and so does one that comes while the second holds it", async () => {
  const { store, holding, lock } = writers();
  const first = lock("first", ["/a"]);
  const second = lock("second", ["/a"]);
  const third = lock("third", ["/a"]);
  await settle();
  expect(holding).toEqual(["first"]);
  await first();
  expect(holding).toEqual(["second"]);
  // The first is done, but what it locked is not free.
  expect(areLocked(store, () => ["/a"])).toBe(true);
  const fourth = lock("fourth", ["/a"]);
  await settle();
  expect(holding).toEqual(["second"]);
  await second();
  expect(holding).toEqual(["third"]);
  await third();
  expect(holding).toEqual(["fourth"]);
  await fourth();
  expect(holding).toEqual([]);
  expect(areLocked(store, () => ["/a"])).toBe(false);
});

test("writers of several keys wait for all of them, never for each other", async () => {
  const { store, holding, lock } = writers();
  const first = lock("first", ["/a", "/b", "/a"]);
  const second = lock("second", ["/b", "/c"]);
  const other = lock("other", ["/d"]);
  const third = lock("third", ["/c", "/a"]);
  await settle();
  expect(holding).toEqual(["first", "other"]);
  await other();
  await first();
  expect(holding).toEqual(["second"]);
  await second();
  expect(holding).toEqual(["third"]);
  await third();
  expect(areLocked(store, () => ["/a", "/b", "/c", "/d"])).toBe(false);
});

test("one store's keys are not another's", async () => {
  const { store, lock } = writers();
  const unlock = lock("first", ["/a"]);
  const unlockOther = await lockKeys({}, ["/a"]);
  await unlockOther();
  expect(areLocked({}, () => ["/a"])).toBe(false);
  expect(areLocked(store, () => ["/a"])).toBe(true);
  await unlock();
});
