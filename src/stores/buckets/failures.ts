/**
 * Answers of a service to requests that failed: how they are read, and the errors made of them. They come
 * from anybody, and may repeat what was sent, so errors show little of them, without credentials.
 */
import {
  type Answer,
  isTransientStatus,
  readPieces,
  Silence,
  StoreError,
  shown,
  withoutSecrets,
} from "../../core/for-stores.js";
import type { BucketProtocol, Failure } from "./protocol.js";

/** Bytes that are read of such an answer. */
const LONGEST_FAILURE = 64 << 10;
/** Milliseconds that its body may take as a whole: a service may send a byte a second. */
const FAILURE_TIMEOUT = 10_000;
/** Characters of the service's name of a failure. The longest of S3 and Azure have about 60. */
const LONGEST_CODE = 100;
/** Characters of code and message that an error shows. */
const LONGEST_SAID = 300;
/** Characters of the shortest credential that is looked for. */
const SHORTEST_SECRET = 6;

/**
 * Reads the answer to a request that failed. What cannot be read counts as empty.
 * @param timeout of the store, in milliseconds
 * @throws the signal's reason
 */
export async function readFailure(
  response: Response,
  protocol: BucketProtocol,
  timeout: number | undefined,
  signal: AbortSignal | null,
): Promise<Failure> {
  const limit = new Silence(Math.min(FAILURE_TIMEOUT, timeout ?? FAILURE_TIMEOUT), signal);
  // Nobody calls `heard`: the timeout is for the whole body.
  const bytes = await limit
    .during(() => readPieces(response, 0, LONGEST_FAILURE, () => {}, limit.signal))
    .catch(() => new Uint8Array(0));
  signal?.throwIfAborted();
  const failure = protocol.failure(response, new TextDecoder().decode(bytes.subarray(0, LONGEST_FAILURE)));
  return { ...failure, code: shownCode(failure.code) };
}

export function failureError(method: string, answer: Answer, failure: Failure): StoreError {
  const { response, url, key } = answer;
  const { code, message = response.statusText, advice } = failure;
  const status = response.status || "a redirect";
  const detail = shownWords(withoutCredentials([code, message].filter(Boolean).join(": "), answer));
  return new StoreError(
    `${shown(url)}: ${method} answered ${status}${detail && ` ${detail}`}${advice ? `; ${advice}` : ""}`,
    {
      key,
      status: response.status,
      code,
      retryAfter: response.headers.get("retry-after") ?? undefined,
      isTransient: isTransientStatus(response.status),
    },
  );
}

/** A service's name of a failure, as errors have it. */
export const shownCode = (code: string | undefined): string | undefined =>
  code && printable(code).slice(0, LONGEST_CODE);

/** What a service said, as errors have it. */
export const shownWords = (text: string): string => withoutSecrets(printable(text)).slice(0, LONGEST_SAID);

/** A text without what moves the cursor of a terminal, hides letters or begins a line. */
const printable = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ");

/** What a service said, without the credentials of the request that it answers. */
function withoutCredentials(text: string, { url, sent }: Answer): string {
  const secrets: string[] = [];
  for (const [name, value] of sent?.headers ?? [])
    if (/^authorization$|token|secret|key/.test(name)) secrets.push(value, value.replace(/^.*[ =]/, ""));
  for (const [name, value] of sent?.url.searchParams ?? [])
    if (url.searchParams.get(name) !== value) secrets.push(value, encodeURIComponent(value));
  return secrets
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "..."), text);
}
