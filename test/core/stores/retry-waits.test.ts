/** How long HttpStore waits before it asks again, by timers that a test moves. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { HttpStore, withRetry } from "../../../src/index.js";
import type { RetryReport } from "../../../src/main/stores.js";
import { expectBytes, pattern } from "../../stores/conformance.js";

const VALUE = pattern(1000);
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("waits", () => {
  const answers: Response[] = [];
  const delays: number[] = [];
  const asking = (options: object = {}): Promise<Uint8Array | undefined> =>
    new HttpStore("http://localhost", {
      fetch: async () => answers.shift() ?? new Response(VALUE.slice()),
      // Moved timers would end it while a page still reads the body.
      timeout: 0,
      retry: { onRetry: ({ delay }: RetryReport) => delays.push(delay), ...options },
    }).get("/v");
  /** Moves timers until the answer is there: a page may take more turns than one call of it waits. */
  const moved = async <Result>(value: Promise<Result>): Promise<Result> => {
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
    };
    value.then(settle, settle);
    while (!isSettled) await vi.runAllTimersAsync();
    return value;
  };
  const failing = (headers: Record<string, string> = {}): Response =>
    new Response("", { status: 503, headers });
  beforeEach(() => {
    answers.length = 0;
    delays.length = 0;
    vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
  });

  it("are a random part of what doubles, up to a limit", async () => {
    answers.push(...Array.from({ length: 6 }, () => failing()));
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    const value = asking({ attempts: 7, baseDelay: 100, maxDelay: 1000 });
    expectBytes(await moved(value), VALUE);
    expect(delays).toEqual([50, 100, 200, 400, 500, 500]);
  });

  it("are as long as the server says, in seconds or until a date", async () => {
    answers.push(
      failing({ "retry-after": "7" }),
      failing({ "retry-after": "Tue, 01 Jan 2030 00:00:12 GMT" }),
      failing({ "retry-after": "Tue, 01 Jan 2030 00:01:00 GMT" }),
      failing({ "retry-after": "soon" }),
    );
    vi.spyOn(Math, "random").mockReturnValue(0);
    const value = asking({ attempts: 5, maxDelay: 60_000 });
    await vi.advanceTimersByTimeAsync(6999);
    expect(answers.length).toBe(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(answers.length).toBe(2);
    expectBytes(await moved(value), VALUE);
    // 12 seconds have passed of the third's minute.
    expect(delays).toEqual([7000, 5000, 48_000, 0]);
  });

  it("that are too long are not begun", async () => {
    answers.push(failing({ "retry-after": "11" }));
    await expect(asking()).rejects.toMatchObject({ status: 503, retryAfter: "11" });
    expect(delays).toEqual([]);
  });

  it.each([{ attempts: -1 }, { baseDelay: Number.NaN }, { maxDelay: -5 }])("%j are refused", (options) => {
    expect(() => withRetry(new Map(), options)).toThrow(
      expect.objectContaining({ tag: "InvalidArgumentError" }),
    );
  });
});
