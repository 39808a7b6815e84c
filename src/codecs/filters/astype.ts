/**
 * numcodecs' `astype` (array -> array): stores the elements as another type.
 * https://numcodecs.readthedocs.io/en/stable/filter/astype.html `encode_dtype` is the stored type,
 * `decode_dtype` the type of the array (by default the chunk's), in numpy's notation. Also
 * `numcodecs.astype`. Casts as numpy: integers modulo the width, floats to integers towards zero; NaNs keep
 * sign and payload. Deviations: writing integers that decoding would not restore is an error (numcodecs
 * stores wrong ones), and so are floats that an integer type cannot hold in both directions, except for fill
 * values; complex numbers, dates and strings are not supported. `{"id": "astype", "encode_dtype": "<f4",
 * "decode_dtype": "<f8"}`
 */

import {
  type ArrayToArrayCodec,
  type CodecEntry,
  type Kernels,
  readNumcodecs,
} from "../../core/for-codecs.js";
import { checkRestored, convert, convertInto, refuse, refuseUnlessFill } from "./convert.js";
import { aligned } from "./numbers.js";
import { numpyFilter, readDtype, typeOfChunk } from "./numpy-types.js";

const CODEC = "astype";
const KINDS = ["integer", "float", "boolean"] as const;

const entry: CodecEntry = {
  codecKind: "array_to_array",
  forms: { only: "numcodecs" },
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["encode_dtype", "decode_dtype"]);
    const stated = readDtype(CODEC, configuration, "decode_dtype", typeOfChunk(spec));
    const encodedAs = readDtype(CODEC, configuration, "encode_dtype");
    const filter = numpyFilter(CODEC, spec, stated, encodedAs, KINDS);
    const { type, encodedType, fill, enter, leave } = filter;
    const encoded = filter.encoded((target, source) =>
      convertInto(target, encodedType, source, type, refuse(CODEC, encodedType)),
    );
    const restore = (elements: Uint8Array, kernels: Kernels): Uint8Array =>
      convert(kernels, aligned(elements, encodedType.itemSize), encodedType, type, refuse(CODEC, type));
    return {
      kind: "array_to_array",
      encoded,
      decode: (elements, { kernels }) => leave(restore(elements, kernels), kernels),
      encode(elements, { kernels }) {
        const source = enter(elements, kernels);
        const misfit = refuseUnlessFill(CODEC, encodedType, source, fill);
        const stored = convert(kernels, source, type, encodedType, misfit);
        if (stored !== source && type.kind !== "float") {
          checkRestored(CODEC, source, restore(stored, kernels), type, fill);
        }
        return stored;
      },
    };
  },
};
export default entry;
