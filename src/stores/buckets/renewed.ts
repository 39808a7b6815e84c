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
export function checkCredential(given: unknown, name: string): void {
  if (typeof given !== "string" || given === "")
    throw new InvalidArgumentError(`${name}: expected a string that is not empty, got ${typeof given}`);
}

export class Renewed<Credentials> {
  readonly #give: (renewal: Renewal) => Awaitable<Credentials>;
  readonly #check: (credentials: Credentials) => void;
  readonly #isOver: (credentials: Credentials) => boolean;
  /** Whether asking again may give others. */
  readonly canRenew: boolean;
  #given: Promise<Credentials> | undefined;

  /**
   * @param check throws for invalid credentials: at once, or when the function has given them
   * @param isOver whether credentials are known to have expired
   */
  constructor(
    given: Renewable<Credentials>,
    check: (credentials: Credentials) => void,
    isOver: (credentials: Credentials) => boolean = () => false,
  ) {
    const isFunction = (one: typeof given): one is (renewal: Renewal) => Awaitable<Credentials> =>
      typeof one === "function";
    this.canRenew = isFunction(given);
    if (!isFunction(given)) check(given);
    this.#give = isFunction(given) ? given : () => given;
    this.#check = check;
    this.#isOver = isOver;
  }

  /**
   * All that ask while the function is asked get the same.
   * @throws what the function throws; InvalidArgumentError for invalid credentials
   */
  async get(expired: boolean): Promise<Credentials> {
    if (!expired && this.#given !== undefined) {
      const current = this.#given;
      const credentials = await current;
      if (!this.#isOver(credentials)) return credentials;
      // Another request may have asked meanwhile.
      if (this.#given !== undefined && this.#given !== current) return this.#given;
    }
    const isRenewal = expired || this.#given !== undefined;
    const given = Promise.resolve()
      .then(() => this.#give({ expired: isRenewal }))
      .then((credentials) => {
        this.#check(credentials);
        return credentials;
      })
      .catch((error: unknown) => {
        if (this.#given === given) this.#given = undefined;
        throw error;
      });
    this.#given = given;
    return given;
  }
}
