/**
 * Bodies in Node, a piece at a time. Of what `arrayBuffer()` makes of a body four times its length is garbage, and most of it is there at
 * once: the pieces, what they are joined in, a copy of that. Here it is the pieces as the socket gave them.
 */
import { addresses, free } from "../garbage.js";

/** Shorter bodies are one piece. Of longer ones nobody knows whether all comes that is announced. */
const SHORTEST = 64 << 10;
const LONGEST = 256 << 20;

/** Smaller pieces are not worth a microsecond. */
const SMALLEST = 16 << 10;

/**
 * V8 looks for young buffers that nobody holds any more when there are 32 MiB of them. Of so many bytes more for each byte of a body
 * nobody touches one: it looks as often as it did for `arrayBuffer()`, and finds a quarter of the garbage.
 */
const COUNTED_MORE = 4;
const STEP = 8 << 20;
let uncounted = 0;

/**
 * @param byteLength of the body, as announced; 0 where it was not
 * @returns the body; of a body of another length nothing but a length that is not that, either
 * @throws what the stream throws when it breaks off
 */
export async function readPieces(response: Response, byteLength: number): Promise<ArrayBufferLike> {
  const { body } = response;
  if (!body || byteLength < SHORTEST || byteLength > LONGEST) {
    const whole = await response.arrayBuffer();
    // What somebody put in the place of `fetch` may hand out the same memory each time, and it is not for us to free.
    return response instanceof Response ? whole : whole.slice(0);
  }
  const isOurs = isByteStream(body);
  const reader = body.getReader();
  const bytes = Buffer.allocUnsafeSlow(byteLength);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // What somebody else made may give anything.
    if (!(value instanceof Uint8Array)) throw new TypeError(`expected a body of bytes, got ${typeof value}`);
    length += value.length;
    if (length > byteLength) {
      await reader.cancel();
      break;
    }
    bytes.set(value, length - value.length);
    if (isOurs && value.length >= SMALLEST) free(value);
  }
  for (uncounted += COUNTED_MORE * byteLength; uncounted >= STEP; uncounted -= STEP) addresses(STEP);
  return length === byteLength ? bytes.buffer : addresses(length);
}

/** Whether whoever reads a piece is the only one who has its memory: a byte stream takes it from whoever puts something into it. */
function isByteStream(body: ReadableStream<Uint8Array>): boolean {
  try {
    body.getReader({ mode: "byob" }).releaseLock();
    return true;
  } catch {
    return false;
  }
}
