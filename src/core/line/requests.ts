/** What all requests of one read share: when they end, how urgent they are, and how many are under way. */
import { Stop } from "../../base/abort.js";
import { StoreError } from "../../base/errors.js";
import { createLimiter, type Limiter } from "../../engine/concurrency.js";
import { requestsAtOnce } from "../../engine/held-bytes.js";
import type { ReadOptions } from "../../engine/options.js";
import { type CoalesceOptions, coalescing, DEFAULT_COALESCING } from "../stores/merged-requests.js";
import type { Priority } from "../stores/request-queue.js";
import type { Awaitable, Parts, ReadPlan } from "./ports.js";

/** A value was replaced while parts of it were read: the read begins again, and fails if that goes on. */
export class Replaced extends StoreError {
  constructor(key: string) {
    super("the shard was replaced again and again while it was read; read it again", { key });
  }
}

let nextId = 0;

export class Requests extends Stop {
  /** Another one for each read. */
  readonly id = nextId++;
  readonly priority: Priority | undefined;
  /** At most so many are under way at once. */
  readonly atOnce: number;
  /** Which ranges of a value become one request. */
  readonly coalesce: CoalesceOptions;
  readonly #versions = new Map<string, Parts["version"]>();
  readonly #underWay = new Map<string, Promise<Parts | undefined>>();
  #limiter: Limiter | undefined;

  /** @param plan what one request brings, and all under way may bring */
  constructor(options: ReadOptions, { requestBytes, held }: Pick<ReadPlan, "requestBytes" | "held">) {
    super(options.signal);
    this.priority = options.priority;
    this.atOnce = requestsAtOnce(options, requestBytes, held);
    const { coalesce } = options;
    this.coalesce = coalesce === undefined ? DEFAULT_COALESCING : coalescing(coalesce);
    this.#limiter = options.limiter;
  }

  /** @throws Replaced if a value is of another version than the one that this read has seen of it */
  expectSame(name: string, version: Parts["version"]): void {
    const seen = this.#versions.get(name);
    if (seen === undefined) this.#versions.set(name, version);
    else if (seen !== version) throw new Replaced(name);
  }

  /** Parts that several batches of this read want are asked for once, also while they wait for their turn. */
  once(name: string, ask: () => Awaitable<Parts | undefined>): Awaitable<Parts | undefined> {
    const known = this.#underWay.get(name);
    if (known !== undefined) return known;
    const answer = ask();
    if (!(answer instanceof Promise)) return answer;
    this.#underWay.set(name, answer);
    const forget = (): boolean => this.#underWay.delete(name);
    answer.then(forget, forget);
    return answer;
  }

  /** Sends a request when it is its turn, unless the read has ended by then. */
  send<Answer>(request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    this.#limiter ??= createLimiter(this.atOnce);
    return this.#limiter.run(async () => {
      this.check();
      return request(this.signal());
    });
  }
}
