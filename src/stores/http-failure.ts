/** What is wrong with an answer that is not the value: the errors, and web pages in place of values. */
import { StoreError } from "../errors.js";
import { type Answer, discard, rangeHeader, readBody } from "./http-answer.js";
import type { RangeQuery } from "./store.js";

/** The error for an answer that is not the value. The URL is told without its query, which may be a signature. */
export function answerError(answer: Answer, problem: string, cause?: unknown): StoreError {
  const { key, url, response } = answer;
  const message = `bad answer from ${url.origin}${url.pathname}: ${problem}`;
  return new StoreError(message, { key, status: response.status, cause });
}

export function lengthError(answer: Answer, byteLength: number): StoreError {
  const announced = answer.response.headers.get("content-length");
  return answerError(answer, `expected a body of ${announced} bytes, got ${byteLength}`);
}

export function partError(answer: Answer, asked: RangeQuery, byteLength: number): StoreError {
  const got = `Content-Range ${JSON.stringify(answer.response.headers.get("content-range"))} and ${byteLength} bytes`;
  return answerError(answer, `expected the range ${rangeHeader(asked)}, got ${got}`);
}

export function pageError(answer: Answer): StoreError {
  discard(answer.response);
  return answerError(
    answer,
    "expected a value, got an HTML page; for what is missing a server should answer 404",
  );
}

export function statusError(answer: Answer): StoreError {
  const { response } = answer;
  discard(response);
  const advice =
    response.status === 401 || response.status === 403
      ? "; check the credentials; object storage may answer so for missing keys: pass a `fetch` that makes it 404 then"
      : "";
  return answerError(answer, `expected status 200, got ${response.status} ${response.statusText}${advice}`);
}

const METADATA = /(?:\.json|\/\.z(?:array|group|attrs|metadata))$/;

/**
 * The value in an answer that is none by its status or its kind: no value, for a metadata document that comes as HTML.
 * @throws StoreError for anything else, and as `readBody`
 */
export async function readOther(answer: Answer): Promise<Uint8Array | undefined> {
  if (answer.response.status !== 200) throw statusError(answer);
  if (!METADATA.test(answer.key)) throw pageError(answer);
  const bytes = await readBody(answer);
  // No JSON text begins so, while some servers call everything HTML.
  return /^\s*</.test(new TextDecoder().decode(bytes.subarray(0, 64))) ? undefined : bytes;
}
