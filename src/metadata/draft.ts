/**
 * What the core knows of the 2020 draft of v3: how its hierarchies are recognised. All else is in
 * src/formats/draft, which fills the slot.
 */
import type { ErrorContext } from "../base/errors.js";
import { type Slot, slot } from "../base/slot.js";
import { isJsonObject, type Json, type JsonObject } from "./json.js";
import type { Member } from "./member.js";
import type { ArrayMetadata, CodecMetadata } from "./model.js";

/** Prefix of the URIs of all versions of the draft. */
export const PROTOCOL = "https://purl.org/zarr/spec/protocol/core/";

/**
 * Whether a `zarr.json` belongs to any version of the draft: its `zarr_format` is a URI, where the final v3
 * has the number 3.
 */
export function isDraftEntryPoint(json: Json): boolean {
  return isJsonObject(json) && typeof json.zarr_format === "string" && json.zarr_format.startsWith(PROTOCOL);
}

/** The entry point: settings of a whole hierarchy. */
export interface DraftEntryPoint {
  /** Suffix of all metadata keys, by default ".json". */
  readonly metadataKeySuffix: string;
  readonly extensions: readonly JsonObject[];
}

export interface DraftDocuments {
  /** @throws InvalidMetadataError, UnknownDataTypeError */
  parseDraftArray(json: Json, context?: ErrorContext): ArrayMetadata;
  /** @throws UnsupportedError for metadata that the draft cannot hold */
  writeDraftArray(metadata: ArrayMetadata): JsonObject;
  /** The codecs that a member `compressor` names. @throws InvalidMetadataError */
  parseDraftCompressor(member: Member): readonly CodecMetadata[];
}

export const draftDocuments: Slot<DraftDocuments> = /* @__PURE__ */ slot("the 2020 draft");
