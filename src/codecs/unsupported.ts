/**
 * Codecs that wazarr knows by name only: `zfp` (zarr-extensions), `zfpy` and `pcodec` (numcodecs). Arrays with them open, and reading or
 * writing them says what to do. There is no sound library on npm for either format.
 * https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/zfp
 */
import { UnsupportedError } from "../errors.js";
import type { Codec, CodecEntry } from "./codec.js";

function unsupported(name: string, kind: Codec["kind"], what: string): CodecEntry {
  return {
    ...(kind === undefined ? {} : { kind }),
    fromConfig() {
      throw new UnsupportedError(
        `wazarr has no ${what}: register one with registry.set("${name}", loader), or convert the array with zarr-python to a codec of docs/codecs.md`,
        { codec: name },
      );
    },
  };
}

export const zfp = unsupported("zfp", "array_to_bytes", "decoder for ZFP");
export const zfpy = unsupported("zfpy", "array_to_bytes", "decoder for ZFP");
export const pcodec = unsupported("pcodec", "array_to_bytes", "decoder for Pcodec");
