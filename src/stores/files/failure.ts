/** What the file system's error codes mean to a store. */
import { isZarrError, StoreError } from "../../errors.js";

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** No such file, or what would be its directory is a file: the key is missing. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** No such file or directory, which for a write means that the directory is still to be made. */
export function isNoEntry(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/** The error to throw for a failed file operation: a StoreError with the cause kept, or the reason of an abort. */
export function fileError(action: string, key: string, cause: unknown, signal?: AbortSignal): unknown {
  if (isZarrError(cause) || (signal?.aborted && cause === signal.reason)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`cannot ${action}: ${reason}`, { key, cause });
}

/** The error for a key whose value would be a directory, a pipe or a device. */
export function noFileError(key: string, isDirectory: boolean): StoreError {
  const kind = isDirectory ? "a directory" : "neither a file nor a directory";
  return new StoreError(`expected a file, got ${kind}; no value can be read from it`, { key });
}
