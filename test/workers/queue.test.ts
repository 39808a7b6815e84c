/** Which worker a task goes to, and what an abort takes back. */
import { expect, test } from "vitest";
import type { Answer } from "../../src/workers/messages.js";
import { type Task, WorkerQueue } from "../../src/workers/queue.js";
import type { WorkerChannel } from "../../src/workers/threads.js";

/** A worker that answers when it is told to. */
class Seat {
  readonly posted: number[] = [];
  #listener: (answer: Answer) => void = () => {};
  readonly channel: WorkerChannel = {
    post: (message) => {
      if ("id" in message) this.posted.push(message.id);
    },
    onAnswer: (listener) => {
      this.#listener = listener;
    },
    onFailure() {},
    hold() {},
    async end() {},
  };

  /** Answers the oldest message that is not answered. */
  answer(): void {
    const id = this.posted.shift();
    if (id === undefined) throw new Error("expected a message");
    this.#listener({ id, failure: undefined, chunks: [], reads: [], found: [], returned: [] });
  }
}

function queueOf(...seats: readonly Seat[]): WorkerQueue {
  const queue = new WorkerQueue();
  for (const { channel } of seats) queue.add(channel);
  return queue;
}

const task = (byteLength: number, signal?: AbortSignal): Task => ({
  byteLength,
  signal,
  message: (id) => ({
    message: { type: "decode", id, array: 0, level: 0, chunks: [], inPlace: false },
    transfer: [],
  }),
});

const MEBIBYTE = 1 << 20;

test("a task goes to the worker with the least to do", async () => {
  const [one, other] = [new Seat(), new Seat()];
  const queue = queueOf(one, other);
  const lengths = () => [one.posted.length, other.posted.length];
  const long = queue.run(task(4 * MEBIBYTE));
  expect(lengths()).toEqual([1, 0]);
  // Four short ones are done before the long one is.
  const short = Array.from({ length: 4 }, () => queue.run(task(MEBIBYTE)));
  expect(lengths()).toEqual([1, 4]);
  other.answer();
  other.answer();
  const next = [queue.run(task(MEBIBYTE)), queue.run(task(MEBIBYTE))];
  expect(lengths()).toEqual([1, 4]);
  one.answer();
  for (let i = 0; i < 4; i++) other.answer();
  await Promise.all([long, ...short, ...next]);
});

test("an abort takes back what waits with its signal, and nothing else", async () => {
  const seat = new Seat();
  const queue = queueOf(seat);
  const [stopped, kept] = [new AbortController(), new AbortController()];
  const settled: string[] = [];
  const run = (name: string, signal?: AbortSignal) =>
    queue.run(task(8 * MEBIBYTE, signal)).then(
      () => settled.push(`${name} done`),
      (error: unknown) => settled.push(`${name}: ${error}`),
    );
  const all = [
    run("posted", stopped.signal),
    run("first", stopped.signal),
    run("other", kept.signal),
    run("second", stopped.signal),
    run("plain"),
  ];
  expect([seat.posted.length, queue.length]).toEqual([1, 4]);
  stopped.abort("enough");
  expect(queue.length).toBe(2);
  await Promise.resolve();
  while (seat.posted.length > 0) seat.answer();
  await Promise.all(all);
  expect(settled.toSorted()).toEqual([
    "first: enough",
    "other done",
    "plain done",
    "posted done",
    "second: enough",
  ]);
});
