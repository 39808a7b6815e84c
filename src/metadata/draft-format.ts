/** How a hierarchy of the 2020 draft is told from others. Apart from the rest of the draft, which is loaded when one is met. */
import { isJsonObject, type Json } from "./json.js";

/** Begins the URIs of all versions of the draft. */
export const PROTOCOL = "https://purl.org/zarr/spec/protocol/core/";

/** Whether a `zarr.json` is the draft's (any version's): the final v3 has the number 3 where the draft has a URI. */
export function isDraftEntryPoint(json: Json): boolean {
  return isJsonObject(json) && typeof json.zarr_format === "string" && json.zarr_format.startsWith(PROTOCOL);
}
