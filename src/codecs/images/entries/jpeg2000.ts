/**
 * Decodes JPEG 2000 in applications that are bundled.
 *
 * ```ts
 * import { registry } from "wazarr";
 *
 * registry.set("imagecodecs_jpeg2k", () => import("wazarr/images/jpeg2000").then((m) => m.default));
 * ```
 *
 * It needs the package `@cornerstonejs/codec-openjpeg`.
 * @module
 */
import make from "@cornerstonejs/codec-openjpeg/decodewasmjs";
import type { CodecEntry } from "../../../main/codecs.js";
import { htj2kCodec, jpeg2000Codec } from "../jpeg2000.js";

const load = async () => ({
  make,
  wasm: new URL("@cornerstonejs/codec-openjpeg/decodewasm", import.meta.url),
});

/** The codec `imagecodecs_jpeg2k`: `registry.set("imagecodecs_jpeg2k", () => codec)`. */
const codec: CodecEntry = jpeg2000Codec(load);
export default codec;

/** The codec `imagecodecs_htj2k`. */
export const htj2k: CodecEntry = htj2kCodec(load);
