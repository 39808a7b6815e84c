/** Credentials that the application gives, once or each time they have expired. */
import { type Awaitable, InvalidArgumentError } from "../../core/for-stores.js";

/** What a function of credentials is told. */
export interface Renewal {
  /** True: the service refused what the function gave before. */
  readonly expired: boolean;
}

/** Credentials, or a function that gives them: when they are first needed, and when they have expired. */
export type Renewable<Credentials> = Credentials | ((renewal: Renewal) => Awaitable<Credentials>);

/**
 * @throws InvalidArgumentError for an invalid credential; "undefined" would be sent as one. It is not shown
 */
export function checkCredential(credential: unknown, name: string): void {
  if (typeof credential !== "string" || credential === "")
    throw new InvalidArgumentError(`${name}: expected a string that is not empty, got ${typeof credential}`);
}

export class Renewed<Credentials> {
  readonly #give: (renewal: Renewal) => Awaitable<Credentials>;
  readonly #check: (credentials: Credentials) => void;
  readonly #isOver: (credentials: Credentials) => boolean;
  /** Whether asking again may give others. */
  readonly canRenew: boolean;
  #credentials: Promise<Credentials> | undefined;

  /**
   * @param check throws for invalid credentials: at once, or when the function has given them
   * @param isOver whether credentials are known to have expired
   */
  constructor(
    source: Renewable<Credentials>,
    check: (credentials: Credentials) => void,
    isOver: (credentials: Credentials) => boolean = () => false,
  ) {
    const isFunction = (one: typeof source): one is (renewal: Renewal) => Awaitable<Credentials> =>
      typeof one === "function";
    this.canRenew = isFunction(source);
    if (!isFunction(source)) check(source);
    this.#give = isFunction(source) ? source : () => source;
    this.#check = check;
    this.#isOver = isOver;
  }

  /**
   * All that ask while the function is asked get the same.
   * @throws what the function throws; InvalidArgumentError for invalid credentials
   */
  async get(expired: boolean): Promise<Credentials> {
    if (!expired && this.#credentials !== undefined) {
      const current = this.#credentials;
      const credentials = await current;
      if (!this.#isOver(credentials)) return credentials;
      // Another request may have asked meanwhile.
      if (this.#credentials !== undefined && this.#credentials !== current) return this.#credentials;
    }
    const isRenewal = expired || this.#credentials !== undefined;
    const provided = Promise.resolve()
      .then(() => this.#give({ expired: isRenewal }))
      .then((credentials) => {
        this.#check(credentials);
        return credentials;
      })
      .catch((error: unknown) => {
        if (this.#credentials === provided) this.#credentials = undefined;
        throw error;
      });
    this.#credentials = provided;
    return provided;
  }
}
