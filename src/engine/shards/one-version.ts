/** Reading a value by its parts, again when it was replaced in between: the one place that repeats such reads. */
import { isZarrError, StoreError } from "../../errors.js";
import type { AbsolutePath } from "../../stores/store.js";
import { moment, ShardChanged } from "./freshness.js";
import { type Requests, StoreSource } from "./store-source.js";

/** The last one reads the value in a single request, which is of one version whatever happens. */
const ATTEMPTS = 3;

export interface Attempt {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/**
 * @param read reads parts of the source; at the last attempt nothing but all of it
 * @param began since when the version has to be in the store: the moment when the whole read began
 */
export async function ofOneVersion(
  key: AbsolutePath,
  requests: Requests,
  read: (source: StoreSource, attempt: Attempt) => Promise<void>,
  began = moment(),
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const source = new StoreSource(key, requests, began);
    const isLast = attempt === ATTEMPTS;
    try {
      await read(source, { isFirst: attempt === 1, isLast });
      await source.check();
      return;
    } catch (error) {
      // Where the store tells no versions, an index that has become wrong shows by what it leads to.
      const isStale = source.isDoubtful && isZarrError(error, "CodecError", "StoreError");
      if (!(error instanceof ShardChanged) && !isStale) throw error;
      source.forget();
      if (isLast) {
        throw new StoreError("the store tells several versions of a value in one answer", {
          key,
          cause: error,
        });
      }
    }
  }
}
