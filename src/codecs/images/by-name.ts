/** The codecs of images, by their names after "imagecodecs_". */
import { jpeg } from "./jpeg.js";
import { htj2k, jpeg2000 } from "./jpeg2000.js";
import { lerc } from "./lerc.js";
import { png } from "./png.js";
import { webp } from "./webp.js";

export const imageCodecs = { jpeg, jpeg8: jpeg, jpeg2k: jpeg2000, htj2k, png, spng: png, webp, lerc };
