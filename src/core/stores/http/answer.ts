/** Interprets HTTP responses: checks status, content type, length and range, and makes the error for each. */
import { StoreError } from "../../../base/errors.js";
import type { ReadBytes } from "../network-store.js";
import { isTransientStatus } from "../requests/retry.js";
import { shown } from "../shown.js";
import type { RangeQuery, StoreOptions, ValueState } from "../store.js";
import { readPieces, type Silence } from "./body.js";

/** A response and its request. */
export interface Answer {
  readonly response: Response;
  readonly key: string;
  readonly url: URL;
  /** The request as it was sent, with its credentials. */
  readonly sent?: { readonly url: URL; readonly headers: Headers } | undefined;
  readonly signal: AbortSignal | null;
  readonly silence: Silence;
  /** Statuses besides 404 and 410 that mean "missing value". */
  readonly missingStatuses: readonly number[];
  readonly versionHeader?: string | undefined;
}

/**
 * Whether the status means that the value is missing. If so, it cancels the body, which frees the connection.
 */
export function isMissing({ response, missingStatuses }: Answer): boolean {
  if (![404, 410, ...missingStatuses].includes(response.status)) return false;
  discard(response);
  return true;
}

/**
 * Whether the response is a web page, which single-page applications and login walls send in place of a
 * value.
 */
export function isPage({ response }: Answer): boolean {
  return response.headers.get("content-type")?.startsWith("text/html") ?? false;
}

export function discard(response: Response): void {
  // An error of a body that nobody reads does not matter.
  response.body?.cancel().catch(() => {});
}

/**
 * @throws StoreError for a body that breaks off, has another length than announced, or exceeds `maximumBytes`
 * (reading stops there)
 */
export async function readBody(answer: Answer, maximumBytes = Number.POSITIVE_INFINITY): Promise<Uint8Array> {
  const { response, signal, silence } = answer;
  const { headers } = response;
  // CORS hides Content-Encoding, and the Content-Length of a compressed response is that of the compressed
  // body.
  const isPlain = response.type !== "cors" && !headers.has("content-encoding");
  const announced = isPlain && headers.get("content-length");
  if (Number(announced) > maximumBytes) {
    discard(response);
    throw tooLong(answer, maximumBytes, Number(announced));
  }
  let bytes: Uint8Array;
  try {
    bytes = await silence.during(() =>
      readPieces(response, Number(announced), maximumBytes, () => silence.heard()),
    );
  } catch (cause) {
    if (signal?.aborted) throw cause;
    discard(response);
    throw answerError(answer, silence.isOver ? silence.problem : "the body broke off", true, cause);
  }
  if (bytes.byteLength > maximumBytes) throw tooLong(answer, maximumBytes);
  if (announced && Number(announced) !== bytes.byteLength) {
    const isShort = bytes.byteLength < Number(announced);
    throw answerError(answer, `expected a body of ${announced} bytes, got ${bytes.byteLength}`, isShort);
  }
  return bytes;
}

/** Reads the body of a response with status 200. @throws StoreError as `readBody` */
export async function readWhole(answer: Answer, options: StoreOptions | undefined): Promise<ReadBytes> {
  const bytes = await readBody(answer, options?.maximumBytes);
  return { bytes, ...stateOf(answer, bytes.byteLength) };
}

/**
 * The version is ETag or Last-Modified. The engine compares versions, since If-Match would cost a browser a
 * preflight, and a 412 another request.
 */
export function stateOf(
  { response: { headers }, versionHeader = "etag" }: Answer,
  byteLength?: number,
): ValueState {
  const time = headers.get("last-modified") ?? undefined;
  const versionText = headers.get(versionHeader);
  // Some servers leave the quotes of an ETag out; conditions need them.
  const isBare = versionText !== null && versionHeader === "etag" && !versionText.includes('"');
  return {
    byteLength,
    version: (isBare ? `"${versionText}"` : versionText) ?? time,
    modified: Date.parse(time ?? "") || undefined,
  };
}

/**
 * The range to request for `range`: one byte in place of an empty range, which HTTP lacks. It shows whether
 * the value exists.
 */
export function askable(range: RangeQuery): RangeQuery {
  return "suffixLength" in range
    ? { suffixLength: range.suffixLength || 1 }
    : { offset: range.offset, length: range.length || 1 };
}

/** The value of a Range header. */
export function rangeHeader(range: RangeQuery): string {
  return "suffixLength" in range
    ? `bytes=-${range.suffixLength}`
    : `bytes=${range.offset}-${range.offset + range.length - 1}`;
}

/** The error for a response that is not the value. */
export function answerError(
  answer: Answer,
  problem: string,
  isTransient = false,
  cause?: unknown,
): StoreError {
  return storeError(answer, `bad answer from ${shown(answer.url)}: ${problem}`, isTransient, cause);
}

function storeError(
  { key, response: { status, headers } }: Answer,
  message: string,
  isTransient: boolean,
  cause?: unknown,
): StoreError {
  return new StoreError(message, {
    key,
    status,
    isTransient,
    retryAfter: headers.get("retry-after") ?? undefined,
    cause,
  });
}

function tooLong(answer: Answer, maximumBytes: number, byteLength?: number): StoreError {
  const got = byteLength === undefined ? "more, and read no further" : `${byteLength}`;
  return answerError(answer, `expected a body of at most ${maximumBytes} bytes, got ${got}`);
}

export function pageError(answer: Answer): StoreError {
  discard(answer.response);
  return answerError(
    answer,
    "expected a value, got an HTML page; for what is missing a server should answer 404",
  );
}

export function statusError(answer: Answer): StoreError {
  const { url, response } = answer;
  const { status, statusText } = response;
  discard(response);
  const advice =
    status === 401 || status === 403
      ? `; check the credentials; if it stands for missing keys, pass \`missingStatuses: [${status}]\``
      : "";
  // It begins as zarrita's message, of which applications read the status.
  const message = `Unexpected response status ${`${status} ${statusText}`.trim()} from ${shown(url)}${advice}`;
  return storeError(answer, message, isTransientStatus(status));
}

const METADATA = /(?:\.json|\/\.z(?:array|group|attrs|metadata))$/;

/** Whether the value of a key is a metadata document. */
export const isDocument = (key: string): boolean => METADATA.test(key);

/**
 * Reads the value in a response to GET; undefined for a missing one and for HTML in place of a metadata
 * document.
 * @throws StoreError
 */
export async function readValue(
  answer: Answer,
  options: StoreOptions | undefined,
): Promise<ReadBytes | undefined> {
  if (isMissing(answer)) return undefined;
  if (answer.response.status !== 200) throw statusError(answer);
  if (!isPage(answer)) return readWhole(answer, options);
  if (!isDocument(answer.key)) throw pageError(answer);
  const bytes = await readBody(answer, options?.maximumBytes);
  // Some servers label everything as HTML. JSON text never begins with "<".
  return /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 64))) ? undefined : { bytes };
}
