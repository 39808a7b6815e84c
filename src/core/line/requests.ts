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

export class ReadRequests extends Stop implements Requests {
  readonly id = nextId++;
  readonly priority: Priority | undefined;
  /** At most so many are under way at once. */
  readonly atOnce: number;
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

  expectSame(name: string, version: Parts["version"]): void {
    const seen = this.#versions.get(name);
    if (seen === undefined) this.#versions.set(name, version);
    else if (seen !== version) throw new Replaced(name);
  }

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

  send<Answer>(request: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
    this.#limiter ??= createLimiter(this.atOnce);
    return this.#limiter.run(async () => {
      this.check();
      return request(this.signal());
    });
  }
}
