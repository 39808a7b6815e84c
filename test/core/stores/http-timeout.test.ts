/** Servers that are silent. */
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { HttpStore } from "../../../src/core/stores/http/http.js";
import { RequestQueue } from "../../../src/core/stores/requests/request-queue.js";
import { ZipStore } from "../../../src/stores/zip/zip.js";
import { expectBytes, pattern } from "../../stores/conformance.js";
import { serve } from "./server.js";

const server = await serve(new Map([["/v", pattern(100_000)]]));
afterAll(() => server.close());
afterEach(() => server.reset());

it.each(["silent", "stall"] as const)(
  "a server that is %s is a StoreError after the timeout",
  async (how) => {
    server.misbehaviour = how;
    const store = new HttpStore(server.url, { timeout: 50, retry: false });
    const error = { tag: "StoreError", message: expect.stringContaining("no data for 50 ms") };
    await expect(store.get("/v")).rejects.toMatchObject(error);
    await expect(store.getRange("/v", { offset: 3, length: 60_000 })).rejects.toMatchObject(error);
    await expect(
      ZipStore.fromUrl(`${server.url}/v`, { timeout: 50, retry: false }).get("/a"),
    ).rejects.toMatchObject({
      tag: "StoreError",
      message: expect.stringContaining("no data for 50 ms"),
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
    "no data for 20 ms",
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

describe("credentials that never come", () => {
  const never = (): Promise<never> => new Promise(() => {});

  it.each(["headers", "authorize"])("%s: a StoreError after the timeout", async (name) => {
    const store = new HttpStore(server.url, { timeout: 30, retry: false, [name]: never });
    await expect(store.get("/v")).rejects.toMatchObject({
      tag: "StoreError",
      key: "/v",
      isTransient: true,
      message: expect.stringContaining(`\`${name}\` did not answer within 30 ms`),
    });
  });

  it("a renewal that hangs ends for all who wait for it, and the next request begins another", async () => {
    const queue = new RequestQueue({ limit: 2 });
    let renewals = 0;
    const store = new HttpStore(server.url, {
      timeout: 1000,
      retry: false,
      queue,
      authorize: ({ expired }) => (expired && renewals++ === 0 ? never() : undefined),
    });
    server.misbehaviour = { status: 401 };
    const reads = Array.from({ length: 4 }, () => store.get("/v"));
    // The request that renews is aborted: the renewal still ends.
    const aborted = store.get("/v", { signal: AbortSignal.timeout(10) });
    for (const each of await Promise.allSettled([...reads, aborted])) expect(each.status).toBe("rejected");
    expect(renewals).toBeGreaterThan(1);
    server.reset();
    expectBytes(await store.get("/v"), pattern(100_000));
    // Another store of the same queue.
    expectBytes(await new HttpStore(server.url, { queue }).get("/v"), pattern(100_000));
  });

  it("a caller's abort ends its wait for them", async () => {
    const store = new HttpStore(server.url, { timeout: 0, authorize: never });
    await expect(store.get("/v", { signal: AbortSignal.timeout(10) })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });
});
