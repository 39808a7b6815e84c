/** What a server's answer means: checks of status, kind, length and range. */
import { lazy } from "../lazy.js";
import type { RangeQuery, StoreOptions } from "./store.js";

/** A response and what it answers. */
export interface Answer {
  readonly response: Response;
  readonly key: string;
  readonly url: URL;
  readonly signal: AbortSignal | null;
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

const pieces = lazy(() => import("./http-pieces.js"));

/** Loaded when an answer is not the value, which few are. */
export const failures = () => import("./http-failure.js");

export function discard(response: Response): void {
  // An error here is of no interest: nobody wants the body.
  response.body?.cancel().catch(() => {});
}

/** @throws StoreError when the body breaks off or is not as long as announced */
export async function readBody(answer: Answer): Promise<Uint8Array> {
  const { response, signal } = answer;
  const { headers } = response;
  // Behind CORS a Content-Encoding is not visible, and the length would be that of the compressed body.
  const isPlain = response.type !== "cors" && !headers.has("content-encoding");
  const announced = isPlain && headers.get("content-length");
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(
      await (typeof Buffer === "function"
        ? (await pieces()).readPieces(response, Number(announced))
        : response.arrayBuffer()),
    );
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw (await failures()).answerError(answer, "the body broke off", cause);
  }
  if (announced && Number(announced) !== bytes.byteLength) {
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

/** Compared here, not by the server: If-Match would cost a browser a preflight, and an answer 412 another request. */
export function versionOf({ response }: Answer): string | undefined {
  return response.headers.get("etag") ?? response.headers.get("last-modified") ?? undefined;
}

/** HTTP has no empty ranges; one byte tells as well whether the value is there. */
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
