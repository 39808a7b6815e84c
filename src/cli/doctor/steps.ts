/** The steps of an examination: each has a bound on its time, and one that fails does not end the others. */
import { untilAborted } from "../../extend.js";
import { StoreError } from "../../index.js";

/** Longest time of a step in milliseconds: a server may answer nothing, or a byte a second. */
const PATIENCE = 30_000;

/** What fails before anything can be read. */
export interface Failure {
  readonly step: string;
  readonly error: unknown;
}

export class Steps {
  readonly failures: Failure[] = [];
  #end = new AbortController();

  /** Aborts when the step that runs has taken too long. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** The result of a step, or undefined if it fails, which is a finding. */
  async attempt<Result>(step: string, action: () => Promise<Result>): Promise<Result | undefined> {
    const end = new AbortController();
    this.#end = end;
    const late = () =>
      end.abort(
        new StoreError(
          `not finished within ${PATIENCE / 1000} seconds; the server, or the network, is slow`,
          {
            isTransient: true,
          },
        ),
      );
    const timer = setTimeout(late, PATIENCE);
    try {
      return await untilAborted(end.signal, action);
    } catch (error) {
      this.failures.push({ step, error });
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}
