/**
 * Failures that come while the read waits for a turn of the event loop reach their caller, and nobody else.
 */
import process from "node:process";
import { expect, it } from "vitest";
import { HttpStore } from "../../../src/index.js";

it("an `authorize` that fails while a turn of the event loop is due is no unhandled rejection", async () => {
  const unhandled: unknown[] = [];
  const listen = (reason: unknown): void => void unhandled.push(reason);
  process.on("unhandledRejection", listen);
  try {
    const store = new HttpStore("http://127.0.0.1:9", {
      // Longer than a turn of the event loop may take: the next wait begins another one.
      headers() {
        for (const end = performance.now() + 50; performance.now() < end; );
        return {};
      },
      authorize: async () => {
        throw new Error("no network");
      },
    });
    await expect(store.get("/v")).rejects.toThrow("no network");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(unhandled).toEqual([]);
  } finally {
    process.off("unhandledRejection", listen);
  }
});
