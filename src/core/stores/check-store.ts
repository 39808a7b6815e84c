/** Checks of stores and of their answers, and how error messages describe them. */
import {
  describeGiven,
  InvalidArgumentError,
  invalid,
  isZarrError,
  StoreError,
  UnsupportedError,
} from "../../base/errors.js";
import { type AbsolutePath, isWritable, type Store, type WritableStore } from "./store.js";

/** @throws InvalidArgumentError unless the store has a `get` method */
export function checkStore(store: unknown): void {
  if (isReadable(store)) return;
  throw new InvalidArgumentError(
    `expected a store, such as new FileSystemStore(path) or new HttpStore(url), got ${describeGiven(store)}`,
  );
}

/** @returns the bytes; undefined for undefined and null @throws StoreError for any other answer */
export function checkBytes(answer: object | null | undefined, key: string): Uint8Array | undefined {
  if (answer === undefined || answer === null) return undefined;
  if (isBytes(answer)) return answer;
  const advice = answer instanceof ArrayBuffer ? ": wrap it, new Uint8Array(buffer)" : "";
  throw new StoreError(
    `expected a Uint8Array (or undefined) from the store, got ${describeGiven(answer)}${advice}`,
    { key },
  );
}

/** Checks a value that a store is to keep. @throws InvalidArgumentError unless it is bytes */
export function checkValue(value: object): void {
  if (!isBytes(Object(value))) throw invalid("value", "a Uint8Array", value);
}

/**
 * @throws StoreError for a value that is longer than `maximumBytes`, from a store that did not check this
 * itself
 */
export function checkLength(value: Uint8Array | null | undefined, maximumBytes: number, key: string): void {
  if (value) checkByteLength(value.length, maximumBytes, key);
}

/** `checkLength` for a value that is not read yet. Stores call this to check `maximumBytes` themselves. */
export function checkByteLength(byteLength: number, maximumBytes: number | undefined, key: string): void {
  // Answers that are not bytes have no length; `checkBytes` refuses them.
  if (maximumBytes === undefined || !(byteLength > maximumBytes)) return;
  throw new StoreError(
    `expected a value of at most ${maximumBytes} bytes, got ${byteLength}: it is damaged, or does not belong to this node`,
    { key },
  );
}

export function isReadable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "get" in value && typeof value.get === "function";
}

/** Whether an answer is a promise, also one of another window or Node context, where `instanceof` fails. */
export function isPending<T>(answer: T | Promise<T>): answer is Promise<T> {
  return typeof answer === "object" && answer !== null && "then" in answer;
}

/**
 * Whether an answer is bytes, also from another window, where `instanceof` fails. False for promises and
 * invalid answers.
 */
export function isBytes(answer: object & { readonly BYTES_PER_ELEMENT?: number }): answer is Uint8Array {
  return answer.BYTES_PER_ELEMENT === 1;
}

/** @throws InvalidArgumentError unless `store` is a store, UnsupportedError for a store without `set` */
export function checkWritable(store: Store, path: AbsolutePath): WritableStore {
  checkStore(store);
  if (isWritable(store)) return store;
  throw new UnsupportedError(`${describeStore(store)} cannot be written: it has no set method`, { path });
}

/** A store's name for error messages: its URL, root or class. */
export function describeStore(store: Store): string {
  // The query is cut off: it may be a signature.
  if ("url" in store) return String(store.url).replace(/\?.*/, "");
  if ("root" in store) return String(store.root);
  return store.constructor.name === "Object" ? "the store" : `the ${store.constructor.name}`;
}

/**
 * Wraps an error of a store in a StoreError with the key, or with the path of the node that was listed. After
 * an abort it returns the signal's reason, whatever the store threw. AbortErrors of the store itself and
 * wazarr's errors are returned unchanged.
 */
export function storeFailure(
  error: unknown,
  key: string | undefined,
  signal: AbortSignal | undefined,
  path?: string,
): unknown {
  if (signal?.aborted) return signal.reason;
  if (isZarrError(error) || isAbort(error)) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new StoreError(`the store failed: ${reason}`, { key, path, cause: error });
}

/**
 * Runs an action on a store.
 * @param at the key or the node's path, for errors
 * @throws as `storeFailure` says
 */
export async function withFailuresAt<Result>(
  { key, path }: { readonly key?: string; readonly path?: string },
  signal: AbortSignal | undefined,
  action: () => Result,
): Promise<Awaited<Result>> {
  try {
    return await action();
  } catch (error) {
    throw storeFailure(error, key, signal, path);
  }
}

export function isAbort(error: unknown): boolean {
  return typeof error === "object" && error !== null && "name" in error && error.name === "AbortError";
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Whether a file is missing: it does not exist (ENOENT), or one of its directories is a file (ENOTDIR). */
export function isMissingFile(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/**
 * Whether a file or directory does not exist. For a write this means that its directory must be created
 * first.
 */
export function isNoEntry(error: unknown): boolean {
  return codeOf(error) === "ENOENT";
}

/**
 * The error to throw for a failed file operation: a StoreError with the cause, or the signal's reason after
 * an abort.
 */
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
