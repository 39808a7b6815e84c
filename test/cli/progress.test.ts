import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgress } from "../../src/cli/text/progress.js";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

function terminal(isTTY: boolean) {
  const written: string[] = [];
  const stream = {
    isTTY,
    write(text: string | Uint8Array) {
      written.push(String(text));
      return true;
    },
  };
  return { stream, written };
}

test("nothing in the first second, then a bar a few times a second, and nothing left in the end", () => {
  const { stream, written } = terminal(true);
  const progress = createProgress("chunks", stream);
  vi.advanceTimersByTime(900);
  progress.update(10, 100);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(200);
  progress.update(50, 100);
  progress.update(51, 100);
  expect(written).toEqual([`\r\x1b[K${"█".repeat(15)}${"░".repeat(15)} 50 %  50 of 100 chunks`]);
  progress.end();
  progress.end();
  expect(written.slice(1)).toEqual(["\r\x1b[K"]);
});

test("a count where the total is not known", () => {
  const { stream, written } = terminal(true);
  const progress = createProgress("chunks", stream);
  vi.advanceTimersByTime(1001);
  progress.update(7);
  expect(written).toEqual(["\r\x1b[K7 chunks"]);
});

test("a line each half minute where there is no terminal, and nothing if all is done within a second", () => {
  const { stream, written } = terminal(false);
  const progress = createProgress("chunks", stream);
  for (let second = 0; second < 90; second++, vi.advanceTimersByTime(1000)) progress.update(second, 100);
  progress.end();
  expect(written).toEqual(["wazarr: 30 %  30 of 100 chunks\n", "wazarr: 60 %  60 of 100 chunks\n"]);
  const fast = terminal(true);
  createProgress("chunks", fast.stream).end();
  expect(fast.written).toEqual([]);
});

test("bytes, their rate and the time that is left, where bytes are known", () => {
  const { stream, written } = terminal(true);
  const progress = createProgress("chunks", stream);
  vi.advanceTimersByTime(2000);
  progress.update(25, 100, { done: 64 * 2 ** 20 });
  expect(written[0]).toMatch(/25 % {2}25 of 100 chunks, 64\.0 MiB, 32\.0 MiB\/s, 0:06 left$/);
  vi.advanceTimersByTime(7_198_000);
  progress.update(50, 100, { done: 900 });
  expect(written[1]).toMatch(/, 900 B, 0 B\/s, 2:00:00 left$/);
});

test("bytes that earlier runs have done count for how far all is, and for no rate", () => {
  const { stream, written } = terminal(true);
  const progress = createProgress("tasks", stream);
  vi.advanceTimersByTime(2000);
  progress.update(1, 4, { done: 6 * 2 ** 20, total: 8 * 2 ** 20, before: 4 * 2 ** 20 });
  expect(written[0]).toMatch(/ 75 % {2}1 of 4 tasks, 6\.0 MiB, 1\.0 MiB\/s, 0:02 left$/);
});
