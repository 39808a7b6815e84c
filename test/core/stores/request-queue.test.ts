/** Which work begins first. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { untilNobodyWaits } from "../../../src/core/stores/requests/shared-requests.js";
import { type Priority, RequestQueue } from "../../../src/main/stores.js";

/** Work that ends when it is told to, and the order in which it began. */
function workplace(queue: RequestQueue) {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return {
    begun,
    turn,
    run: (name: string, priority?: Priority, signal?: AbortSignal): Promise<string> =>
      queue.run(
        async () => {
          begun.push(name);
          await new Promise<void>((end) => ends.set(name, end));
          return name;
        },
        { priority, signal },
      ),
    async end(...names: readonly string[]): Promise<void> {
      for (const name of names) ends.get(name)?.();
      await turn();
    },
  };
}

describe("RequestQueue", () => {
  it("begins the most urgent first, and of the equally urgent who came first", async () => {
    const { begun, run, end } = workplace(new RequestQueue({ limit: 1 }));
    for (const [name, priority] of [["a"], ["b"], ["c", -1], ["d", 2], ["e", 0], ["f", () => 2]] as const)
      void run(name, priority);
    await end();
    for (let i = 0; i < 6; i++) await end(begun.at(-1) ?? "");
    expect(begun).toEqual(["a", "d", "f", "b", "e", "c"]);
  });

  it("looks at priorities when there is room, whatever they were before", async () => {
    const { begun, run, end } = workplace(new RequestQueue({ limit: 1 }));
    const priorities = { near: 1, far: 0 };
    void run("first");
    void run("near", () => priorities.near);
    void run("far", () => priorities.far);
    void run("strange", () => Number.NaN);
    void run("broken", () => {
      throw new Error("gone");
    });
    priorities.far = 5;
    priorities.near = -3;
    for (const _ of "12345") await end(begun.at(-1) ?? "");
    expect(begun).toEqual(["first", "far", "strange", "broken", "near"]);
  });

  it("leaves room for what somebody waits for", async () => {
    const { begun, run, end } = workplace(new RequestQueue({ limit: 3, backgroundLimit: 2 }));
    for (const name of ["x", "y", "z"]) void run(name, -1);
    await end();
    expect(begun).toEqual(["x", "y"]);
    void run("a");
    void run("b");
    await end();
    expect(begun).toEqual(["x", "y", "a"]);
    await end("x");
    expect(begun).toEqual(["x", "y", "a", "b"]);
    await end("y");
    expect(begun).toEqual(["x", "y", "a", "b"]);
    await end("a");
    expect(begun).toEqual(["x", "y", "a", "b", "z"]);
  });

  it("never begins what was aborted before, and gives the reason", async () => {
    const { begun, run, end } = workplace(new RequestQueue({ limit: 1 }));
    const abort = new AbortController();
    const reason = new Error("scrolled away");
    void run("a");
    const waiting = ["b", "c"].map((name) => run(name, 3, abort.signal));
    const later = run("d");
    abort.abort(reason);
    for (const each of waiting) await expect(each).rejects.toBe(reason);
    await expect(run("e", 0, abort.signal)).rejects.toBe(reason);
    await end("a");
    await end("d");
    expect(await later).toBe("d");
    expect(begun).toEqual(["a", "d"]);
  });

  it("goes on after failures, and passes them on", async () => {
    const queue = new RequestQueue({ limit: 1 });
    const failure = new Error("no");
    const work = [
      queue.run(() => Promise.reject(failure)),
      queue.run(() => {
        throw failure;
      }),
      queue.run(() => 7),
    ];
    expect(await Promise.allSettled(work)).toMatchObject([
      { reason: failure },
      { reason: failure },
      { value: 7 },
    ]);
  });

  it("begins everything that is not aborted, once, and no more at once than the limit", async () => {
    const task = fc.record({
      priority: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
      changes: fc.boolean(),
      steps: fc.nat(3),
      abortsAt: fc.option(fc.nat(6), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(task, { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        async (tasks, limit, backgroundLimit) => {
          const queue = new RequestQueue({ limit, backgroundLimit });
          let running = 0;
          const begun = new Map<number, number>();
          const all = tasks.map(async ({ priority, changes, steps, abortsAt }, i) => {
            const abort = new AbortController();
            let asked = 0;
            const own = changes ? () => (priority ?? 0) + (asked++ % 3) : priority;
            const work = queue.run(
              async () => {
                expect(abort.signal.aborted).toBe(false);
                begun.set(i, (begun.get(i) ?? 0) + 1);
                running++;
                expect(running).toBeLessThanOrEqual(limit);
                for (let step = 0; step < steps; step++) await undefined;
                running--;
              },
              { priority: own, signal: abort.signal },
            );
            if (abortsAt !== undefined) {
              for (let step = 0; step < abortsAt; step++) await undefined;
              abort.abort();
            }
            await work.then(
              () => expect(begun.get(i)).toBe(1),
              () => expect([abort.signal.aborted, begun.get(i)]).toEqual([true, undefined]),
            );
          });
          await Promise.all(all);
          expect(running).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("has no trouble with many that wait", async () => {
    const queue = new RequestQueue({ limit: 2 });
    const count = 50_000;
    let sum = 0;
    await Promise.all(Array.from({ length: count }, (_, i) => queue.run(() => void (sum += i))));
    expect(sum).toBe((count * (count - 1)) / 2);
  });

  it.each([{ limit: 0 }, { limit: Number.NaN }, { backgroundLimit: -1 }, { limits: 6 }])(
    "%j is refused",
    (options) => {
      expect(() => new RequestQueue(options)).toThrow(
        expect.objectContaining({ tag: "InvalidArgumentError" }),
      );
    },
  );
});

describe("a request of several callers", () => {
  const outcome = async (signals: readonly (AbortSignal | undefined)[], later: () => void = () => {}) =>
    untilNobodyWaits(
      signals.map((signal) => ({ signal, priority: 0 })),
      async ({ signal }) => {
        later();
        return signal.aborted;
      },
    );

  it("is aborted when all of them are, before it begins or later", async () => {
    const late = new AbortController();
    expect(await outcome([AbortSignal.abort(), AbortSignal.abort()])).toBe(true);
    expect(await outcome([AbortSignal.abort(), late.signal], () => late.abort())).toBe(true);
  });

  it("goes on for one that is not", async () => {
    const late = new AbortController();
    expect(await outcome([AbortSignal.abort(), new AbortController().signal])).toBe(false);
    expect(await outcome([late.signal, undefined], () => late.abort())).toBe(false);
  });
});
