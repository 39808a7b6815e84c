/** What creating nodes has in common in all formats. */
import { AlreadyExistsError, InvalidArgumentError } from "../errors.js";
import type { AbsolutePath, StoreOptions } from "../stores/store.js";

export interface NewNodeOptions extends StoreOptions {
  /** Replace the node that is there, with everything below it; an error without it. */
  readonly overwrite?: boolean | undefined;
}

export function alreadyExists(found: string, path: AbsolutePath): AlreadyExistsError {
  return new AlreadyExistsError(
    `there is ${found === "array" ? "an array" : "a group"} already; overwrite: true replaces it`,
    { path },
  );
}

export function belowArray(path: AbsolutePath): InvalidArgumentError {
  return new InvalidArgumentError("an array cannot have nodes below it", { path });
}
