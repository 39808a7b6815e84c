/** Answers of the server of `wazarr serve`. */
import type { OutgoingHttpHeaders } from "node:http";

export interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | undefined;
}

const TEXT: OutgoingHttpHeaders = { "content-type": "text/plain; charset=utf-8" };

/** An answer for people. */
export function refusal(
  status: number,
  text: string,
  headers: OutgoingHttpHeaders = {},
): Answer & { readonly body: string } {
  return { status, headers: { ...TEXT, ...headers }, body: `${text}\n` };
}
