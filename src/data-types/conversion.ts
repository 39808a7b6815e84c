/** Converts whole arrays of data types without a typed array to float32 or strings and back, with kernels. */
import { byteAt, float32At } from "../base/at.js";
import { CodecError, invalid } from "../base/errors.js";
import { checkObject } from "../base/option-names.js";
import { loadKernels } from "../kernels/load.js";
import { BFLOAT16, decodeFloat, FLOAT16 } from "./float-formats.js";
import { type Float16Data, SmallFloatArray } from "./small-float.js";
import { bytesOfView } from "./typed-array.js";
import type { UnicodeStringArray } from "./unicode-array.js";

/**
 * Converts float16, bfloat16 and smaller floats to float32, exactly. NaNs of 16-bit floats keep their
 * payload. Several times as fast as a loop over the elements.
 * @throws InvalidArgumentError for elements of another type
 */
export async function toFloat32Array(
  data: Float16Data | SmallFloatArray,
): Promise<ReturnType<Float32ArrayConstructor["of"]>> {
  checkObject(data, "data", "an array of small floats");
  const floats = new Float32Array(data.length);
  const format = data instanceof SmallFloatArray ? data.format : FLOAT16;
  if (data.byteLength * 8 !== data.length * format.bits && format.bits > 8)
    throw invalid("data", "elements of float16, bfloat16 or a smaller float", data);
  const source = bytesOfView(data);
  if (format.bits <= 8) {
    const values = Float32Array.from({ length: 256 }, (_, pattern) => decodeFloat(format, pattern));
    for (let index = 0; index < floats.length; index++) {
      const pattern = byteAt(source, index);
      floats[index] = float32At(values, pattern);
    }
    return floats;
  }
  const kernels = await loadKernels();
  const { loadElements } = await import("../kernels/elements.js");
  const elements = await loadElements(kernels);
  if (format.name === BFLOAT16.name) elements.bfloat16ToFloat(bytesOfView(floats), source);
  else elements.halfToFloat(bytesOfView(floats), source);
  return floats;
}

/**
 * Converts float32 to float16 or bfloat16: rounds to nearest, ties to even; too large values become Infinity,
 * as in a Float16Array.
 */
export async function fromFloat32Array(
  values: Float32Array,
  name: "float16" | "bfloat16",
): Promise<SmallFloatArray> {
  if (Object.prototype.toString.call(values) !== "[object Float32Array]")
    throw invalid("values", "a Float32Array", values);
  if (name !== "float16" && name !== "bfloat16") throw invalid("name", '"float16" or "bfloat16"', name);
  const array = new SmallFloatArray(name === "float16" ? FLOAT16 : BFLOAT16, values.length);
  const kernels = await loadKernels();
  const { loadElements } = await import("../kernels/elements.js");
  const elements = await loadElements(kernels);
  if (name === "float16") elements.floatToHalf(bytesOfView(array), bytesOfView(values));
  else elements.floatToBfloat16(bytesOfView(array), bytesOfView(values));
  return array;
}

/** Code points to decode at once: their string stays well below the string length limits of engines. */
const TEXT_PIECE = 2 ** 18;

/**
 * Converts a `fixed_length_utf32` array to strings, several times as fast as `toArray`.
 * @throws CodecError with the index of an element that is not UTF-32
 */
export async function toStrings(data: UnicodeStringArray): Promise<string[]> {
  checkObject(data, "data", "an array of fixed_length_utf32");
  const kernels = await loadKernels();
  const { loadElements } = await import("../kernels/elements.js");
  const elements = await loadElements(kernels);
  const { itemSize } = data;
  const source = bytesOfView(data);
  const perPiece = Math.max(1, Math.floor((4 * TEXT_PIECE) / itemSize));
  const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });
  const strings: string[] = [];
  for (let first = 0; first < data.length; first += perPiece) {
    const count = Math.min(perPiece, data.length - first);
    kernels.within(2 * count * itemSize + 4 * count, () => {
      const from = kernels.allocate(count * itemSize);
      const units = kernels.allocate(count * itemSize);
      const lengths = kernels.allocate(4 * count);
      from.set(source.subarray(first * itemSize, (first + count) * itemSize));
      const written = elements.utf32ToUtf16(units, lengths, from, itemSize / 4);
      if (written < 0) {
        const index = first - written - 1;
        throw new CodecError(`expected Unicode code points (UTF-32) in element ${index}, got other numbers`, {
          offset: index,
        });
      }
      // Copied, because TextDecoder rejects shared memory.
      const text = decoder.decode(units.slice(0, 2 * written));
      let at = 0;
      for (const length of new Uint32Array(lengths.slice().buffer))
        strings.push(text.substring(at, (at += length)));
    });
  }
  return strings;
}
