/**
 * Twins of kernels that are worth a download of their own: loaded with the codec where there is no WebAssembly, and else only if its
 * memory has no room for a chunk. Then the codec throws what late.ts says, and the chunk is decoded again.
 */
import { UnsupportedError } from "../errors.js";
import { LateLoad } from "./late.js";

export interface LazyTwin<T> {
  load(): Promise<void>;
  /** @throws UnsupportedError that loads it */
  get(): T;
}

export function lazyTwin<T>(codec: string, load: () => Promise<T>): LazyTwin<T> {
  let twin: T | undefined;
  const remember = async (): Promise<void> => {
    twin = await load();
  };
  return {
    load: remember,
    get() {
      if (twin !== undefined) return twin;
      throw new UnsupportedError(
        "expected room in WebAssembly memory, got none: the decoder in JavaScript is not loaded yet",
        { codec, cause: new LateLoad(remember) },
      );
    },
  };
}
