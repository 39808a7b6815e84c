/** Failures of handles, by the names that browsers give them, and what to do about them. */
import { isZarrError, StoreError } from "../../../core/for-stores.js";

interface Advice {
  readonly message: string;
  readonly isTransient?: boolean;
}

const CHANGED: Advice = {
  message: "the file was changed while it was read, or its disk failed: read it again",
  isTransient: true,
};

const ADVICE: Readonly<Record<string, Advice>> = {
  InvalidStateError: CHANGED,
  NoModificationAllowedError: {
    message: "another tab or worker has the file open: try again when it is done",
    isTransient: true,
  },
  NotAllowedError: {
    message:
      'the page has no permission for the folder, or lost it: call requestPermission({ mode: "readwrite" }) of the handle, or "read", when the person clicks',
  },
  NotReadableError: CHANGED,
  QuotaExceededError: {
    message: "the storage is full: remove something, or ask for more by navigator.storage.persist()",
  },
  TypeError: { message: "if the name is refused, choose another key" },
  TypeMismatchError: { message: "a folder of the key is a file: choose another key" },
};

/** The name of a DOMException or another error. */
export function nameOf(error: unknown): string | undefined {
  return error instanceof Error ? error.name : undefined;
}

/** Whether an entry is missing: it does not exist, or one of its folders is a file. */
export function isMissing(error: unknown): boolean {
  const name = nameOf(error);
  return name === "NotFoundError" || name === "TypeMismatchError";
}

/** Whether a file that was found was replaced or removed before its bytes were read. */
export function isChange(error: unknown): boolean {
  return isMissing(error) || ADVICE[nameOf(error) ?? ""] === CHANGED;
}

/** What to throw for a file that was changed. @param cause how the browser said so, if it noticed */
export function changed(cause?: unknown): Error {
  const reason = cause instanceof Error ? cause.message : "its size or time is another";
  const error = new Error(reason, { cause });
  return Object.assign(error, { name: "NotReadableError" });
}

/**
 * The error to throw for a failed operation on a handle: a StoreError whose `code` is the browser's name of
 * the failure, or the signal's reason after an abort.
 */
export function handleError(action: string, key: string, cause: unknown, signal?: AbortSignal): unknown {
  if (isZarrError(cause) || (signal?.aborted && cause === signal.reason)) return cause;
  const code = nameOf(cause);
  const known = ADVICE[code ?? ""];
  const reason = (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
  return new StoreError(`cannot ${action}: ${reason}${known === undefined ? "" : `; ${known.message}`}`, {
    key,
    code,
    isTransient: known?.isTransient ?? false,
    cause,
  });
}
