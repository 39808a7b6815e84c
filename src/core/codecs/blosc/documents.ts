/**
 * How documents write `blosc`: v3 names the shuffle and states the size of the type, numcodecs numbers the
 * one and guesses the other.
 */
import type { Json } from "../../../metadata/json.js";
import { isIntegerIn } from "../configuration.js";
import type { CodecForms } from "../forms.js";

/** By their number in numcodecs. */
const SHUFFLES: readonly Json[] = ["noshuffle", "shuffle", "bitshuffle"];
/** -1 in numcodecs: bitshuffle for elements of one byte, else shuffle. */
const usualShuffle = (itemSize: number): number => (itemSize === 1 ? 2 : 1);
const typesizeOf = (itemSize: number): number => (itemSize > 0 && itemSize < 256 ? itemSize : 1);

export const FORMS: CodecForms = {
  defaults(itemSize, form) {
    const shuffle = usualShuffle(itemSize);
    const members =
      form === "numcodecs"
        ? { shuffle }
        : { shuffle: itemSize === 1 ? "bitshuffle" : "shuffle", typesize: typesizeOf(itemSize) };
    return { cname: "lz4", clevel: 5, ...members, blocksize: 0 };
  },
  both: {
    toV3({ cname = "lz4", clevel = 5, shuffle = 1, blocksize = 0 }, { itemSize }) {
      const typesize = typesizeOf(itemSize);
      const kind = shuffle === -1 ? usualShuffle(typesize) : shuffle;
      const name = typeof kind === "number" ? SHUFFLES[kind] : undefined;
      return name === undefined || !isIntegerIn(clevel, 0, 9)
        ? undefined
        : { typesize, cname, clevel, shuffle: name, blocksize };
    },
    toNumcodecs: ({ cname = "lz4", clevel = 5, shuffle = "noshuffle", blocksize = 0 }) => ({
      cname,
      clevel,
      shuffle: SHUFFLES.indexOf(shuffle),
      blocksize,
    }),
  },
  level: "clevel",
};
