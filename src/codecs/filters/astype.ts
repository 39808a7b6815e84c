/**
 * numcodecs' `astype` (array -> array): stores the elements as another type.
 * https://numcodecs.readthedocs.io/en/stable/filter/astype.html
 * `encode_dtype` is the stored type, `decode_dtype` the type of the array (the chunk's own unless given), as numpy spells them. Also
 * `numcodecs.astype`. Values are cast as numpy casts them: integers modulo the width, floats cut towards zero to integers; NaNs keep sign and payload. Deviations:
 * integers that decoding would not give back are refused on writing (numcodecs stores others), and floats that an integer type does not
 * hold both ways, fill values excepted; complex numbers, dates and strings are not supported.
 * `{"id": "astype", "encode_dtype": "<f4", "decode_dtype": "<f8"}`
 */

import type { Kernels } from "../../kernels/kernels.js";
import type { ArrayToArrayCodec, ChunkSpec, CodecEntry } from "../codec.js";
import { readNumcodecs } from "../configuration.js";
import { checkRestored, convert, convertInto, refuse, refuseUnlessFill } from "./convert.js";
import { aligned } from "./numbers.js";
import { encodedFill, numbersOf, readDtype, restate, typeOfChunk } from "./numpy-types.js";

const CODEC = "astype";
const KINDS = ["integer", "float", "boolean"] as const;

const entry: CodecEntry = {
  kind: "array_to_array",
  fromConfig(configuration, spec): ArrayToArrayCodec {
    readNumcodecs(CODEC, configuration, ["encode_dtype", "decode_dtype"]);
    const stated = readDtype(CODEC, configuration, "decode_dtype", typeOfChunk(spec));
    const encodedAs = readDtype(CODEC, configuration, "encode_dtype");
    const type = numbersOf(CODEC, stated.dataType, KINDS);
    const encodedType = numbersOf(CODEC, encodedAs.dataType, KINDS);
    const { shape, fill, enter, leave } = restate(CODEC, spec, stated);
    const cast = (target: Uint8Array, source: Uint8Array): void =>
      convertInto(target, encodedType, source, type, refuse(CODEC, encodedType));
    const encoded: ChunkSpec = {
      ...encodedAs,
      shape,
      fillValue: encodedFill(encodedAs.dataType, fill, cast),
    };
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
