/**
 * Reads a value in parts, and repeats the read if the value was replaced in between. No other code repeats
 * such reads.
 */
import { isZarrError, StoreError } from "../../base/errors.js";
import type { AbsolutePath } from "../../core/stores/store.js";
import { moment } from "../exchange.js";
import { ShardChanged } from "./freshness.js";
import { type Requests, StoreSource } from "./store-source.js";

/** The last attempt reads the whole value in a single request, which is always of one version. */
const ATTEMPTS = 3;

interface Attempt {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/**
 * Runs `read` until all that it read is of one version. @param read reads parts of the source; at the last
 * attempt only the whole value
 * @param began the moment when the whole read began: the version must have been in the store since then
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
      // If the store tells no versions, an outdated index shows only by errors in the bytes that it points
      // to.
      const isStale = source.freshness.isDoubtful && isZarrError(error, "CodecError", "StoreError");
      if (!(error instanceof ShardChanged) && !isStale) throw error;
      source.forget();
      if (isLast) {
        throw new StoreError("the store gave several versions of a value in one answer", {
          key,
          cause: error,
        });
      }
    }
  }
}
