/** The last bytes of a value, from servers that refuse `Range: bytes=-N`. */
import type { Answer } from "./http-answer.js";
import { sliceRange } from "./ranges.js";

type Bytes = Promise<Uint8Array | undefined>;

/**
 * The last bytes of a value by way of its length, or of all of it when the server does not tell its length.
 * @param answer the answer to HEAD, which does not say that the value is missing
 */
export async function suffixByLength(
  { response }: Answer,
  range: { readonly suffixLength: number },
  getPart: (part: { readonly offset: number; readonly length: number }) => Bytes,
  getWhole: () => Bytes,
): Bytes {
  const announced = response.headers.get("content-length");
  if (response.status === 200 && announced !== null) {
    const offset = Math.max(0, Number(announced) - range.suffixLength);
    // To the end, wherever that is: HEAD may have told the length of a compressed body. With too many bytes the last
    // ones are right, with too few the whole value has to come.
    const length = Number.MAX_SAFE_INTEGER - offset;
    const bytes = await getPart({ offset, length });
    if (bytes === undefined || offset === 0 || bytes.byteLength >= range.suffixLength) {
      return bytes && sliceRange(bytes, range);
    }
  }
  const value = await getWhole();
  return value && sliceRange(value, range).slice();
}
