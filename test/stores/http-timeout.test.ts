/** Servers that are silent. */
import { afterAll, afterEach, expect, it } from "vitest";
import { HttpStore } from "../../src/stores/http.js";
import { ZipStore } from "../../src/stores/zip.js";
import { expectBytes, pattern } from "./conformance.js";
import { serve } from "./server.js";

const server = await serve(new Map([["/v", pattern(100_000)]]));
afterAll(() => server.close());
afterEach(() => server.reset());

it.each(["silent", "stall"] as const)(
  "a server that is %s is a StoreError after the timeout",
  async (how) => {
    server.misbehaviour = how;
    const store = new HttpStore(server.url, { timeout: 50, retry: false });
    const error = { tag: "StoreError", message: expect.stringContaining("nothing came for 50 ms") };
    await expect(store.get("/v")).rejects.toMatchObject(error);
    await expect(store.getRange("/v", { offset: 3, length: 60_000 })).rejects.toMatchObject(error);
    await expect(
      ZipStore.fromUrl(`${server.url}/v`, { timeout: 50, retry: false }).get("/a"),
    ).rejects.toMatchObject({
      tag: "StoreError",
      message: expect.stringContaining("nothing came for 50 ms"),
    });
  },
);

it("the time begins anew with every piece of a body", async () => {
  let pieces = 0;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    await new Promise((next) => setTimeout(next, 30));
    if (pieces++ === 20) controller.close();
    else controller.enqueue(new Uint8Array(10));
  };
  const store = new HttpStore("http://localhost", {
    timeout: 400,
    fetch: async () => new Response(new ReadableStream({ pull })),
  });
  // 600 ms in all.
  expectBytes(await store.get("/v"), new Uint8Array(200));
});

it("a `fetch` that never answers, and heeds no signal, is given up", async () => {
  const never = (): Promise<Response> => new Promise(() => {});
  await expect(new HttpStore("http://localhost", { timeout: 20, fetch: never }).get("/v")).rejects.toThrow(
    "nothing came for 20 ms",
  );
  for (const timeout of [0, Number.POSITIVE_INFINITY]) {
    const store = new HttpStore("http://localhost", { timeout, fetch: never });
    await expect(store.get("/v", { signal: AbortSignal.timeout(40) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  }
});

it.each([-1, Number.NaN, "1000"])("timeout %s is refused", (timeout) => {
  expect(() => Reflect.construct(HttpStore, ["http://localhost", { timeout }])).toThrow("timeout: expected");
});
