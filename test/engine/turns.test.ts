/** The event loop gets turns during a read whose store settles its promises without it. */
import { expect, test } from "vitest";
import { create, get, open, type Store } from "../../src/index.js";

const map = new Map<string, Uint8Array>();
const shape = [60_000];
await create(map, { shape, chunkShape: [1], dtype: "uint8", fillValue: 7 });

test("timers run, and an abort ends the read", async () => {
  let asked = 0;
  const store: Store = {
    get: async (key) => {
      asked++;
      return map.get(key);
    },
  };
  const array = await open(store, { kind: "array" });
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  try {
    expect((await get(array)).data).toEqual(new Uint8Array(60_000).fill(7));
  } finally {
    clearInterval(timer);
  }
  expect(turns).toBeGreaterThan(2);
  asked = 0;
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 1);
  await expect(get(array, null, { signal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
  expect(asked).toBeLessThan(60_000);
});
