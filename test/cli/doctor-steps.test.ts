/** `wazarr doctor` ends, whatever a server does. */
import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Meter } from "../../src/cli/doctor/meter.js";
import { Steps } from "../../src/cli/doctor/steps.js";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("a step that does not end is a failure, and its requests are aborted", async () => {
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  try {
    const steps = new Steps();
    const { fetch } = new Meter(steps);
    let asked: Promise<unknown> = Promise.resolve();
    const step = steps.attempt("open", () => {
      asked = fetch(new Request(url));
      return asked;
    });
    const refused = expect(asked).rejects.toThrow("not finished within 30 seconds");
    await vi.advanceTimersByTimeAsync(30_000);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await step).toBeUndefined();
    await refused;
    expect(steps.failures).toMatchObject([{ step: "open", error: { tag: "StoreError", isTransient: true } }]);
    expect(await steps.attempt("next", async () => 5)).toBe(5);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
