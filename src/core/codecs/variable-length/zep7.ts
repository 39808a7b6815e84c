/**
 * `bytes` for elements of variable length, in the chunk layout of ZEP 7 (draft): offsets, one more than
 * elements; zeros up to a multiple of 64 bytes; data. Offsets are int32, or int64 for `large_string` and
 * `large_binary`, in the configured byte order (default little). This is Arrow's layout: decoding copies
 * nothing, and the column uses the memory of the chunk. https://zarr.dev/zeps/draft/ZEP0007.html `{"name":
 * "bytes", "configuration": {"endian": "little"}}` with `"data_type": {"name": "string"}`
 */
import { at, noItem } from "../../../base/at.js";
import { CodecError } from "../../../base/errors.js";
import type { Offsets } from "../../../data-types/column.js";
import type { Kernels } from "../../../kernels/kernels.js";
import { loadStrings } from "../../../kernels/strings.js";
import type { Strings } from "../../../kernels/strings-kernels.js";
import type { JsonObject } from "../../../metadata/json.js";
import type { ArrayToBytesCodec, ChunkSpec } from "../codec.js";
import {
  checkColumnType,
  checkOffsets,
  checkReach,
  columnOf,
  countOf,
  int32View,
  int64View,
} from "../columns.js";
import { readChoice, readConfiguration } from "../configuration.js";

const CODEC = "bytes";
/** Arrow buffers begin at multiples of 64 bytes. */
const ALIGNMENT = 64;

/**
 * @throws InvalidMetadataError for an `endian` other than little and big, and for data types without variable
 * length
 */
export async function prepareZep7(
  configuration: JsonObject,
  spec: ChunkSpec,
  kernels: Kernels,
): Promise<ArrayToBytesCodec> {
  readConfiguration(CODEC, configuration, ["endian"]);
  const endian = readChoice(CODEC, configuration, "endian", ["little", "big"], "little");
  checkColumnType(CODEC, spec);
  const strings = await loadStrings(kernels);
  const count = countOf(spec);
  const isLarge = spec.dataType.variable?.startsWith("large_") === true;
  const width = isLarge ? 8 : 4;
  const offsetsLength = (count + 1) * width;
  const dataStart = Math.ceil(offsetsLength / ALIGNMENT) * ALIGNMENT;

  const inOrder = (bytes: Uint8Array, kernels: Kernels): Uint8Array => {
    if (endian === "little") return bytes;
    const swapped = new Uint8Array(bytes.length);
    kernels.swap(swapped, bytes, width);
    return swapped;
  };

  return {
    kind: "array_to_bytes",
    variable: {
      decode(bytes, kernels) {
        if (bytes.length < offsetsLength) {
          throw new CodecError(
            `expected ${count + 1} offsets of ${width} bytes, got ${bytes.length} bytes: the chunk is truncated or belongs to another array`,
          );
        }
        const stored = inOrder(bytes.subarray(0, offsetsLength), kernels);
        const offsets = isLarge ? int64View(stored) : int32View(stored);
        // Writers may leave out the padding if there are no data.
        const data = bytes.subarray(Math.min(dataStart, bytes.length));
        checkOffsets(strings, offsets, data.length);
        const end = Number(at<number | bigint>(offsets, count));
        if (end < data.length) {
          throw new CodecError(
            `expected ${end} bytes of data, as the last offset says, got ${data.length}: the chunk belongs to another array`,
            { offset: dataStart + end },
          );
        }
        return { offsets, data };
      },
      encode(elements, kernels) {
        const { offsets, data } = columnOf(elements);
        const begin = Number(at<number | bigint>(offsets, 0));
        const used = data.subarray(begin, Number(at<number | bigint>(offsets, count)));
        const encoded = new Uint8Array(dataStart + used.length);
        const target = encoded.subarray(0, offsetsLength);
        if (isLarge) writeWide(strings, new BigInt64Array(encoded.buffer, 0, count + 1), offsets, begin);
        else writeNarrow(strings, new Int32Array(encoded.buffer, 0, count + 1), offsets, begin, used.length);
        if (endian === "big") kernels.swap(target, target, width);
        encoded.set(used, dataStart);
        return encoded;
      },
    },
  };
}

function writeWide(strings: Strings, target: BigInt64Array, offsets: Offsets, begin: number): void {
  if (offsets instanceof Int32Array && begin === 0) strings.widenOffsets(target, offsets);
  else
    for (let i = 0; i < target.length; i++)
      target[i] = BigInt(offsets[i] ?? noItem(offsets, i)) - BigInt(begin);
}

function writeNarrow(
  strings: Strings,
  target: Int32Array,
  offsets: Offsets,
  begin: number,
  length: number,
): void {
  checkReach(length);
  if (offsets instanceof BigInt64Array && begin === 0) strings.narrowOffsets(target, offsets);
  else if (begin === 0 && !(offsets instanceof BigInt64Array)) target.set(offsets.subarray(0, target.length));
  else for (let i = 0; i < target.length; i++) target[i] = Number(offsets[i] ?? noItem(offsets, i)) - begin;
}
