/**
 * JPEG XL is known by name only: arrays with it open, and reading or writing throws an error with advice. npm
 * has no library that keeps the elements: docs/codecs.md.
 */
import { UnsupportedError } from "../../errors.js";
import type { CodecEntry } from "../codec.js";

const NAME = "imagecodecs_jpegxl";

export const jpegxl: CodecEntry = {
  kind: "array_to_bytes",
  fromConfig() {
    throw new UnsupportedError(
      `wazarr has no decoder for JPEG XL: register one with registry.set("${NAME}", loader), or convert the array with zarr-python to a codec of docs/codecs.md`,
      { codec: NAME },
    );
  },
};
