/** TIFF's codecs, by their names after "imagecodecs_", and those of virtual-tiff. */
import { chunky } from "./chunky.js";
import { lzw, packbits } from "./compressors.js";
import { bitorder, packints } from "./packed.js";
import { delta, floatpred, horizontalDelta } from "./predictors.js";

export const tiffCodecs = {
  ...{ lzw, packbits, delta, floatpred, packints, bitorder },
  ...{ horizontalDelta, chunky },
};
