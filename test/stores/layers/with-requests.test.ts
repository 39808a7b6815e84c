import { expect, test, vi } from "vitest";
import { create, get, InvalidArgumentError, type Readable, set, slice } from "../../../src/index.js";
import { type StoreRequest, withRequests } from "../../../src/main/stores.js";
import { noteWarnings } from "../../setup/warnings.js";

async function arrayWith(listener: (request: StoreRequest) => void) {
  const bytes = new Map<string, Uint8Array>();
  const store = withRequests(bytes, listener);
  const array = await create(store, {
    shape: [4, 4],
    chunkShape: [2, 2],
    dtype: "uint8",
    fillValue: 7,
  });
  await set(array, [slice(0, 2), null], { data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), shape: [2, 4] });
  return { array, bytes };
}

test("every chunk is told when it is asked for and when it is there, with its bytes", async () => {
  const told: StoreRequest[] = [];
  const { array, bytes } = await arrayWith((request) => told.push(request));
  told.length = 0;
  const { data } = await get(array, [slice(0, 3), null]);
  expect(Array.from(data)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 7, 7, 7, 7]);
  const asked = told.filter(({ state }) => state === "asked");
  expect(asked).toHaveLength(4);
  for (const { id, key } of asked) {
    const [, answer, ...others] = told.filter((each) => each.id === id);
    const isThere = /\/0\/[01]$/.test(key);
    expect(answer).toMatchObject({ key, state: isThere ? "arrived" : "missing" });
    if (isThere) expect(answer?.bytes).toBe(bytes.get(key)?.length);
    expect(others).toEqual([]);
  }
});

test("a read that fails is told, and its error is the store's", async () => {
  const told: StoreRequest[] = [];
  const failing: Readable = { get: () => Promise.reject(new Error("no connection")) };
  const store = withRequests(failing, (request) => told.push(request));
  await expect(store.get("/a/c/0")).rejects.toThrow("no connection");
  expect(told.map(({ key, state, bytes }) => [key, state, bytes])).toEqual([
    ["/a/c/0", "asked", 0],
    ["/a/c/0", "failed", 0],
  ]);
});

test("what is no store is refused", () => {
  // @ts-expect-error no store
  expect(() => withRequests({}, () => {})).toThrow(InvalidArgumentError);
});

test("without a listener is an error at once", () => {
  expect(() => Reflect.apply(withRequests, undefined, [new Map()])).toThrow("expected a function");
});

test("a listener that throws does not fail the read: it is a warning", async () => {
  const warnings = noteWarnings();
  try {
    const store = withRequests(new Map([["/a", Uint8Array.of(7)]]), ({ state }) => {
      throw new Error(`cannot draw what is ${state}`);
    });
    expect(await store.get("/a")).toEqual(Uint8Array.of(7));
    expect(warnings.noted.map(String)).toEqual([
      "Error: cannot draw what is asked",
      "Error: cannot draw what is arrived",
    ]);
  } finally {
    warnings.restore();
  }
});

test("a listener that throws in a page is an error event", async () => {
  const reported: unknown[] = [];
  vi.stubGlobal("process", undefined);
  vi.stubGlobal("reportError", (error: unknown) => reported.push(error));
  try {
    const store = withRequests(new Map([["/a", Uint8Array.of(7)]]), () => {
      throw new Error("cannot draw");
    });
    expect(await store.get("/a")).toEqual(Uint8Array.of(7));
  } finally {
    vi.unstubAllGlobals();
  }
  expect(reported.map(String)).toEqual(["Error: cannot draw", "Error: cannot draw"]);
});
