/** What a filter of numcodecs makes of the fill value, for codecs after it that fill what is absent (shards). */
import type { DataType } from "../../data-types/data-type.js";

/**
 * @param fill one element before encoding; undefined where elements before and after do not correspond
 * @param encode encodes one element, as the filter does
 * @returns a scalar of the encoded type: its zero where the fill value has no place in it
 */
export function encodedFill(
  encodedType: DataType,
  fill: Uint8Array | undefined,
  encode: (target: Uint8Array, source: Uint8Array) => void,
): unknown {
  if (fill === undefined) return encodedType.defaultScalar;
  const target = new Uint8Array(encodedType.itemSize);
  try {
    encode(target, fill);
  } catch {
    return encodedType.defaultScalar;
  }
  return encodedType.readScalar(target, true);
}
