/** What all requests of one read share: when they end, how urgent they are, and how many are under way. */
import { Stop } from "../../base/abort.js";
import { StoreError } from "../../base/errors.js";
import { type CoalesceOptions, coalescing, DEFAULT_COALESCING } from "../stores/requests/merged-requests.js";
import type { Priority } from "../stores/requests/request-queue.js";
import type { Awaitable, Parts, ReadPlan, Requests } from "./ports.js";
import { createLimiter, type Limiter } from "./shared/concurrency.js";
import { requestsAtOnce } from "./shared/held-bytes.js";
import type { ReadOptions } from "./shared/options.js";

/** A value was replaced while parts of it were read: the read begins again, and fails if that goes on. */
export class Replaced extends StoreError {
  constructor(key: string) {
    super("the shard was replaced again and again while it was read; read it again", { key });
  }
}

let nextId = 0;

/** The limit, versions and signal are made for the first request. A Map gets none. */
export class ReadRequests implements Requests {
  readonly id = nextId++;
  readonly #options: ReadOptions;
  readonly #plan: Pick<ReadPlan, "requestBytes" | "held">;
  #stop: Stop | undefined;
  #limiter: Limiter | undefined;
  #versions: Map<string, Parts["version"]> | undefined;
  #sent: Map<string, Promise<Parts | undefined>> | undefined;

  /** @param plan what one request brings, and all under way may bring */
  constructor(options: ReadOptions, plan: Pick<ReadPlan, "requestBytes" | "held">) {
    this.#options = options;
    this.#plan = plan;
    this.#limiter = options.limiter;
    this.#stop = options.signal && new Stop(options.signal);
  }

  get priority(): Priority | undefined {
    return this.#options.priority;
  }

  /** At most so many are under way at once. */
  get atOnce(): number {
    return requestsAtOnce(this.#options, this.#plan.requestBytes, this.#plan.held);
  }

  get coalesce(): CoalesceOptions {
    const { coalesce } = this.#options;
    return coalesce === undefined ? DEFAULT_COALESCING : coalescing(coalesce);
  }

  /** @throws what ended the read */
  check(): void {
    this.#stop?.check();
  }

  abort(reason: unknown): void {
    this.#stop ??= new Stop(undefined);
    this.#stop.abort(reason);
  }

  /** The read has ended: nothing aborts it any more. */
  end(): void {
    this.#stop?.end();
  }

  signal(): AbortSignal {
    this.#stop ??= new Stop(undefined);
    return this.#stop.signal();
  }

  expectSame(name: string, version: Parts["version"]): void {
    this.#versions ??= new Map();
    const seen = this.#versions.get(name);
    if (seen === undefined) this.#versions.set(name, version);
    else if (seen !== version) throw new Replaced(name);
  }

  once(name: string, ask: () => Awaitable<Parts | undefined>): Awaitable<Parts | undefined> {
    const known = this.#sent?.get(name);
    if (known !== undefined) return known;
    const answer = ask();
    if (!(answer instanceof Promise)) return answer;
    const sent = (this.#sent ??= new Map());
    sent.set(name, answer);
    const forget = (): boolean => sent.delete(name);
    answer.then(forget, forget);
    return answer;
  }

  send<Answer>(request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    this.#limiter ??= createLimiter(this.atOnce);
    return this.#limiter.run(async () => {
      this.check();
      return request(this.signal());
    });
  }
}
