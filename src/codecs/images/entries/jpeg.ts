/**
 * Decodes JPEG in applications that are bundled.
 *
 * ```ts
 * import { registry } from "wazarr";
 *
 * registry.set("imagecodecs_jpeg", () => import("wazarr/images/jpeg").then((m) => m.default));
 * ```
 *
 * It needs the package `@cornerstonejs/codec-libjpeg-turbo-8bit`.
 * @module
 */
import make from "@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasmjs";
import type { CodecEntry } from "../../../main/codecs.js";
import { jpegCodec } from "../jpeg.js";

/** The codec `imagecodecs_jpeg`: `registry.set("imagecodecs_jpeg", () => codec)`. */
const codec: CodecEntry = jpegCodec(async () => ({
  make,
  wasm: new URL("@cornerstonejs/codec-libjpeg-turbo-8bit/decodewasm", import.meta.url),
}));
export default codec;
