/** A read that components share, from the first that needs its result to the last. */

/** What a read has come to. */
export type Outcome<Value> =
  | { readonly status: "reading"; readonly value: undefined; readonly error: undefined }
  | { readonly status: "read"; readonly value: Value; readonly error: undefined }
  | { readonly status: "failed"; readonly value: undefined; readonly error: Error };

const READING = { status: "reading", value: undefined, error: undefined } as const;
/** Milliseconds in which a component may come back to a result: React renders a suspended one again. */
const GRACE = 1000;

export class SharedRead<Value> {
  #outcome: Outcome<Value> = READING;
  #promise: Promise<Value> | undefined;
  #controller = new AbortController();
  readonly #users = new Set<() => void>();
  readonly #read: (signal: AbortSignal) => Promise<Value>;
  readonly #onUse: (isUsed: boolean) => void;

  /** @param onUse whether the next component that needs this result is to find it */
  constructor(read: (signal: AbortSignal) => Promise<Value>, onUse: (isUsed: boolean) => void) {
    this.#read = read;
    this.#onUse = onUse;
    // React may never show what it renders.
    this.#dropLater(GRACE);
  }

  /** The same object until it changes. */
  readonly outcome = (): Outcome<Value> => this.#outcome;

  /** Starts the read, and keeps it until the function that is returned has been called by all who use it. */
  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#users.add(onChange);
    this.#onUse(true);
    void this.start();
    return () => {
      this.#users.delete(onChange);
      // In strict mode, React unmounts what it mounts, and mounts it again.
      this.#dropLater(0);
    };
  };

  /** Resolves with the result; the read that is under way is not started again. */
  start(): Promise<Value> {
    if (this.#promise !== undefined) return this.#promise;
    const promise = this.#read(this.#controller.signal);
    const settle = (outcome: Outcome<Value>): void => {
      if (promise !== this.#promise) return;
      this.#outcome = outcome;
      for (const tell of this.#users) tell();
      this.#dropLater(GRACE);
    };
    promise.then(
      (value) => settle({ status: "read", value, error: undefined }),
      (reason: unknown) => settle({ status: "failed", value: undefined, error: errorOf(reason) }),
    );
    this.#promise = promise;
    return promise;
  }

  /** The result, which is kept until the signal aborts. */
  until(signal: AbortSignal): Promise<Value> {
    signal.addEventListener(
      "abort",
      this.subscribe(() => {}),
    );
    return this.start();
  }

  /** Reads again, and aborts a read that is under way. */
  retry(): void {
    this.#forget();
    for (const tell of this.#users) tell();
    if (this.#users.size > 0) void this.start();
  }

  /** Aborts a read that no component uses. */
  drop(): void {
    if (this.#users.size > 0) return;
    this.#onUse(false);
    this.#forget();
  }

  #dropLater(milliseconds: number): void {
    const isWaited = (): boolean =>
      milliseconds > 0 && this.#promise !== undefined && this.#outcome === READING;
    // A component that is suspended is no user yet, but waits for the result.
    setTimeout(() => isWaited() || this.drop(), milliseconds);
  }

  #forget(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
    this.#promise = undefined;
    this.#outcome = READING;
  }
}

const errorOf = (reason: unknown): Error =>
  reason instanceof Error ? reason : new Error(String(reason), { cause: reason });
