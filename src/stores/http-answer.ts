/** What a server's answer means: checks of status, kind, length and range. */
import { resolveRange } from "./ranges.js";
import type { RangeQuery, StoreOptions, ValueState } from "./store.js";

/** A response and what it answers. */
export interface Answer {
  readonly response: Response;
  readonly key: string;
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
}

/** True for "there is no such value"; the connection is free again then. */
export function isMissing({ response }: Answer): boolean {
  if (response.status !== 404 && response.status !== 410) return false;
  discard(response);
  return true;
}

/** True for a web page: what single-page applications and login walls send in place of anything else. */
export function isPage({ response }: Answer): boolean {
  return response.headers.get("content-type")?.startsWith("text/html") ?? false;
}

/** Loaded when an answer is not the value, which few are. */
export const failures = () => import("./http-failure.js");

export function discard(response: Response): void {
  // An error here is of no interest: nobody wants the body.
  response.body?.cancel().catch(() => {});
}

/** @throws StoreError when the body breaks off or is not as long as announced */
export async function readBody(answer: Answer): Promise<Uint8Array> {
  const { response, signal } = answer;
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await response.arrayBuffer());
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw (await failures()).answerError(answer, "the body broke off", cause);
  }
  // Behind CORS a Content-Encoding is not visible, and the length would be that of the compressed body.
  const isPlain = response.type !== "cors" && !response.headers.has("content-encoding");
  const announced = response.headers.get("content-length");
  if (isPlain && announced !== null && Number(announced) !== bytes.byteLength) {
    throw (await failures()).lengthError(answer, bytes.byteLength);
  }
  return bytes;
}

/** The body of an answer with status 200. @throws StoreError as `readBody` */
export async function readWhole(answer: Answer, options: StoreOptions | undefined): Promise<Uint8Array> {
  const bytes = await readBody(answer);
  options?.onValue?.({ byteLength: bytes.byteLength, version: versionOf(answer) });
  return bytes;
}

/** What an answer with status 206 or 416 tells about the whole value; behind CORS that may be nothing but Last-Modified. */
export function partState(answer: Answer): ValueState {
  const [, total] = /\/(\d+)$/.exec(answer.response.headers.get("content-range") ?? "") ?? [];
  return { byteLength: total === undefined ? undefined : Number(total), version: versionOf(answer) };
}

/** Compared here, not by the server: If-Match would cost a browser a preflight, and an answer 412 another request. */
function versionOf({ response }: Answer): string | undefined {
  return response.headers.get("etag") ?? response.headers.get("last-modified") ?? undefined;
}

/** The value of a Range header. */
export function rangeHeader(range: RangeQuery): string {
  return "suffixLength" in range
    ? `bytes=-${range.suffixLength}`
    : `bytes=${range.offset}-${range.offset + range.length - 1}`;
}

/** Whether a part is the one asked for, by its length and by its Content-Range, where CORS does not hide that. */
export function isRightPart({ response }: Answer, asked: RangeQuery, byteLength: number): boolean {
  const header = response.headers.get("content-range");
  let isRight = byteLength <= ("suffixLength" in asked ? asked.suffixLength : asked.length);
  if (header !== null) {
    const [, first, last, total] = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header) ?? [];
    // With the value's length unknown, only where a range begins can be checked.
    const expected =
      total === undefined || total === "*"
        ? { start: "offset" in asked ? asked.offset : Number(first), end: Number(last) + 1 }
        : resolveRange(asked, Number(total));
    isRight &&=
      Number(first) === expected.start &&
      Number(last) + 1 === expected.end &&
      byteLength === expected.end - expected.start;
  }
  return isRight;
}
