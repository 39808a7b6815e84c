/** Work that waits for a worker, and workers that wait for work. */
import { UnsupportedError } from "../errors.js";
import type { WorkerChannel } from "./channel.js";
import type { Answer, ForgetMessage, Question } from "./messages.js";

export interface Task {
  /** Bytes of elements, which say how long it takes. */
  readonly byteLength: number;
  readonly signal?: AbortSignal | undefined;
  /** Called when a worker has room for it: until then nothing is copied. */
  message(id: number): { readonly message: Question; readonly transfer: readonly ArrayBuffer[] };
}

interface Entry {
  readonly task: Task;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

interface Seat {
  readonly channel: WorkerChannel;
  /** What was posted and not answered, by id. */
  readonly posted: Map<number, Entry>;
  byteLength: number;
}

/** Bytes posted to a worker ahead, so that it has the next task when it is done with one: two bands, or eight chunks of a megabyte. */
const POSTED_BYTES = 8 << 20;

export class WorkerQueue {
  readonly #seats: Seat[] = [];
  readonly #waiting: Entry[] = [];
  /** Tasks under way, by signal. */
  readonly #signals = new Map<AbortSignal, number>();
  #closed = false;
  #nextId = 0;

  /** Workers that are there. */
  get size(): number {
    return this.#seats.length;
  }

  /** Tasks that no worker has been given yet. */
  get length(): number {
    return this.#waiting.length;
  }

  get closed(): boolean {
    return this.#closed;
  }

  add(channel: WorkerChannel): void {
    const seat: Seat = { channel, posted: new Map(), byteLength: 0 };
    channel.hold(false);
    channel.onAnswer((answer) => this.#answered(seat, answer));
    channel.onFailure((error) => this.#died(seat, error));
    this.#seats.push(seat);
  }

  /**
   * Runs a task in the worker with the least to do. A signal takes it back while it waits; once posted it is run to its end.
   * @throws the signal's reason; UnsupportedError when the pool was closed or the workers have died
   */
  run(task: Task): Promise<Answer> {
    const { signal } = task;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    if (this.#closed) return Promise.reject(poolClosed());
    if (this.#seats.length === 0) return Promise.reject(workersFailed(undefined));
    const promise = new Promise<Answer>((resolve, reject) => {
      this.#waiting.push({ task, resolve, reject });
      this.#dispatch();
    });
    if (signal === undefined) return promise;
    this.#watch(signal);
    return promise.finally(() => this.#unwatch(signal));
  }

  /** Runs a task in every worker, before whatever waits. */
  runEverywhere(task: Task): Promise<Answer[]> {
    return Promise.all(
      this.#seats.map(
        (seat) => new Promise<Answer>((resolve, reject) => this.#post(seat, { task, resolve, reject })),
      ),
    );
  }

  tellEveryone(message: ForgetMessage): void {
    for (const { channel } of this.#seats) channel.post(message, []);
  }

  /** Ends the workers and rejects what is under way. */
  async close(): Promise<void> {
    this.#closed = true;
    const seats = this.#seats.splice(0);
    for (const { reject } of this.#waiting.splice(0)) reject(poolClosed());
    for (const { posted } of seats) for (const { reject } of posted.values()) reject(poolClosed());
    await Promise.all(seats.map(({ channel }) => channel.end()));
  }

  /** One listener a signal, however many tasks have it: engines warn of many. */
  #watch(signal: AbortSignal): void {
    const tasks = this.#signals.get(signal) ?? 0;
    if (tasks === 0) signal.addEventListener("abort", this.#takeBack);
    this.#signals.set(signal, tasks + 1);
  }

  #unwatch(signal: AbortSignal): void {
    const tasks = (this.#signals.get(signal) ?? 0) - 1;
    if (tasks > 0) {
      this.#signals.set(signal, tasks);
      return;
    }
    this.#signals.delete(signal);
    signal.removeEventListener("abort", this.#takeBack);
  }

  readonly #takeBack = ({ target }: Event): void => {
    const waiting = this.#waiting.splice(0);
    for (const entry of waiting) {
      const { signal } = entry.task;
      if (signal !== undefined && signal === target) entry.reject(signal.reason);
      else this.#waiting.push(entry);
    }
  };

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
    const error = workersFailed(cause);
    for (const { reject } of seat.posted.values()) reject(error);
    if (this.#seats.length === 0) for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}

export function poolClosed(): UnsupportedError {
  return new UnsupportedError("the worker pool was closed");
}

export function workersFailed(cause: unknown): UnsupportedError {
  return new UnsupportedError(
    "a worker failed: does the page allow workers and serve wazarr/workers/worker?",
    {
      cause,
    },
  );
}
