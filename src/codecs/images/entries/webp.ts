/**
 * Decodes WebP in applications that are bundled.
 *
 * ```ts
 * import { registry } from "wazarr";
 *
 * registry.set("imagecodecs_webp", () => import("wazarr/images/webp").then((m) => m.default));
 * ```
 *
 * It needs the package `@jsquash/webp`.
 * @module
 */
import make from "@jsquash/webp/codec/dec/webp_dec.js";
import type { CodecEntry } from "../../../main/codecs.js";
import { WEBP_FILE, webpCodec } from "../webp.js";

/** The codec `imagecodecs_webp`: `registry.set("imagecodecs_webp", () => codec)`. */
const codec: CodecEntry = webpCodec(async () => ({ make, file: WEBP_FILE }));
export default codec;
