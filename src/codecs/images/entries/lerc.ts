/**
 * Decodes LERC in applications that are bundled.
 *
 * ```ts
 * import { registry } from "wazarr";
 *
 * registry.set("imagecodecs_lerc", () => import("wazarr/images/lerc").then((m) => m.default));
 * ```
 *
 * It needs the package `lerc`.
 * @module
 */
import * as lerc from "lerc";
import type { CodecEntry } from "../../../main/codecs.js";
import { lercCodec } from "../lerc.js";

/** The codec `imagecodecs_lerc`: `registry.set("imagecodecs_lerc", () => codec)`. */
const codec: CodecEntry = lercCodec(async () => ({
  lerc,
  wasm: new URL("lerc/lerc-wasm.wasm", import.meta.url),
}));
export default codec;
