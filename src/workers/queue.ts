/** The queue of tasks for workers, the message channels to workers, and buffers that are transferred. */

import { onAbort } from "../base/abort.js";
import { UnsupportedError } from "../base/errors.js";
import { LostWork } from "../core/line/shared/chunk-workers.js";
import type { Answer, ForgetMessage, Question } from "./messages.js";
import type { WorkerChannel } from "./threads.js";

export interface Task {
  /** Bytes of elements: a measure of the task's duration. */
  readonly byteLength: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when a worker is ready for the task, so that inputs are not copied earlier. */
  message(id: number): { readonly message: Question; readonly transfer: readonly ArrayBuffer[] };
}

interface Entry {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  readonly channel: WorkerChannel;
  /** Posted tasks without an answer, by id. */
  readonly posted: Map<number, Entry>;
  byteLength: number;
  /** Whether the worker has ever answered: one that has not may be unable to start at all. */
  hasAnswered: boolean;
}

/**
 * Bytes of tasks posted to a worker in advance, so that it never waits for its next task: two bands, or eight
 * chunks of a megabyte.
 */
const POSTED_BYTES = 8 << 20;

export class WorkerQueue {
  readonly #seats: Seat[] = [];
  readonly #waiting: Entry[] = [];
  #closed = false;
  #nextId = 0;
  #lost: unknown[] = [];

  /** Number of living workers. */
  get size(): number {
    return this.#seats.length;
  }

  /** Number of tasks that are not posted to a worker yet. */
  get length(): number {
    return this.#waiting.length;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The causes of death of workers that had answered before and are not replaced yet. */
  get lost(): readonly unknown[] {
    return this.#lost;
  }

  /** Returns `lost` for whoever replaces those workers. */
  takeLost(): readonly unknown[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  /** @param first tasks that the worker gets before all others */
  add(channel: WorkerChannel, first: readonly Task[] = []): void {
    const seat: Seat = { channel, posted: new Map(), byteLength: 0, hasAnswered: false };
    channel.hold(false);
    channel.onAnswer((answer) => this.#answered(seat, answer));
    channel.onFailure((error) => this.#died(seat, error));
    this.#seats.push(seat);
    const ignore = (): void => {};
    for (const task of first) this.#post(seat, { task, resolve: ignore, reject: ignore });
  }

  /**
   * Runs a task in the worker with the least posted work. An abort removes a waiting task; a posted task runs
   * to its end.
   * @throws the signal's reason; LostWork when the worker has died, or all have; UnsupportedError when the
   * pool is closed
   */
  run(task: Task): Promise<Answer> {
    const { signal } = task;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(poolClosed());
    if (this.#seats.length === 0) return Promise.reject(workersFailed(undefined));
    let takeBack = (): void => {};
    const answer = new Promise<Answer>((resolve, reject) => {
      const entry = { task, resolve, reject };
      takeBack = () => {
        const at = this.#waiting.indexOf(entry);
        if (at < 0) return;
        this.#waiting.splice(at, 1);
        reject(signal?.reason);
      };
      this.#waiting.push(entry);
      this.#dispatch();
    });
    const forget = signal && onAbort(signal, takeBack);
    return forget ? answer.finally(forget) : answer;
  }

  /**
   * Runs a task in every worker, ahead of all waiting tasks.
   * @returns the answers of those that do not die of it
   * @throws LostWork if all do
   */
  async runEverywhere(task: Task): Promise<Answer[]> {
    const ends = await Promise.allSettled(
      this.#seats.map(
        (seat) => new Promise<Answer>((resolve, reject) => this.#post(seat, { task, resolve, reject })),
      ),
    );
    const answers = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
    for (const end of ends) {
      if (end.status === "rejected" && (answers.length === 0 || !(end.reason instanceof LostWork)))
        throw end.reason;
    }
    return answers;
  }

  tellEveryone(message: ForgetMessage): void {
    for (const { channel } of this.#seats) channel.post(message, []);
  }

  /** Ends the workers and rejects all waiting and posted tasks. */
  async close(): Promise<void> {
    this.#closed = true;
    const seats = this.#seats.splice(0);
    for (const { reject } of this.#waiting.splice(0)) reject(poolClosed());
    for (const { posted } of seats) for (const { reject } of posted.values()) reject(poolClosed());
    await Promise.all(seats.map(({ channel }) => channel.end()));
  }

  #dispatch(): void {
    while (this.#waiting.length > 0) {
      const seat = this.#seats.reduce<Seat | undefined>(
        (least, each) => (each.byteLength < (least?.byteLength ?? POSTED_BYTES) ? each : least),
        undefined,
      );
      if (seat === undefined) return;
      const entry = this.#waiting.shift();
      if (entry === undefined) return;
      this.#post(seat, entry);
    }
  }

  #post(seat: Seat, entry: Entry): void {
    const id = this.#nextId++;
    try {
      const { message, transfer } = entry.task.message(id);
      seat.channel.post(message, transfer);
    } catch (error) {
      entry.reject(error);
      return;
    }
    seat.posted.set(id, entry);
    seat.byteLength += entry.task.byteLength;
    seat.channel.hold(true);
  }

  #answered(seat: Seat, answer: Answer): void {
    const entry = seat.posted.get(answer.id);
    if (entry === undefined) return;
    seat.hasAnswered = true;
    seat.posted.delete(answer.id);
    seat.byteLength -= entry.task.byteLength;
    if (seat.posted.size === 0) seat.channel.hold(false);
    this.#dispatch();
    entry.resolve(answer);
  }

  #died(seat: Seat, cause: unknown): void {
    const at = this.#seats.indexOf(seat);
    if (at < 0) return;
    this.#seats.splice(at, 1);
    if (seat.hasAnswered) this.#lost.push(cause);
    const error = seat.hasAnswered ? workerDied(cause) : workersFailed(cause);
    for (const { reject } of seat.posted.values()) reject(error);
    if (this.#seats.length === 0) for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

export function poolClosed(): UnsupportedError {
  return new UnsupportedError("the worker pool is closed; make another WorkerPool");
}

export function workersFailed(cause: unknown): LostWork {
  return new LostWork(
    "no worker starts; check that the Content-Security-Policy allows workers (worker-src) and that the server has the file of wazarr/workers/worker",
    {
      cause,
    },
  );
}

function workerDied(cause: unknown): LostWork {
  return new LostWork(
    `a worker ended during its work: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      cause,
    },
  );
}
