/** Translates error codes of the file system to missing keys and StoreErrors. */
import { isZarrError, StoreError } from "../../errors.js";

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether the key is missing: the file does not exist (ENOENT), or one of its directories is a file (ENOTDIR). */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** Whether a file or directory does not exist. For a write this means that its directory must be created first. */
export function isNoEntry(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/** The error to throw for a failed file operation: a StoreError with the cause, or the signal's reason after an abort. */
export function fileError(action: string, key: string, cause: unknown, signal?: AbortSignal): unknown {
  if (isZarrError(cause) || (signal?.aborted && cause === signal.reason)) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(`cannot ${action}: ${reason}`, { key, cause });
}

/** The error for a key whose path is a directory, a pipe or a device. */
export function noFileError(key: string, isDirectory: boolean): StoreError {
  const kind = isDirectory ? "a directory" : "neither a file nor a directory";
  return new StoreError(`expected a file, got ${kind}; no value can be read from it`, { key });
}
