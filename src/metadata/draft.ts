/**
 * What is always loaded of the 2020 draft of v3: how its hierarchies are recognised, and the extensions of it that an application
 * understands. The rest is in draft/.
 */

import type { DataType, Endian, ResolvedDataType } from "../data-types/data-type.js";
import { isJsonObject, type Json, type JsonObject } from "./json.js";
import type { ChunkGrid } from "./model.js";

/** Prefix of the URIs of all versions of the draft. */
export const PROTOCOL = "https://purl.org/zarr/spec/protocol/core/";

/** Whether a `zarr.json` is the draft's (any version's): the final v3 has the number 3 where the draft has a URI. */
export function isDraftEntryPoint(json: Json): boolean {
  return isJsonObject(json) && typeof json.zarr_format === "string" && json.zarr_format.startsWith(PROTOCOL);
}

/** What an extension defines; one without members is only known, where it stands in `extensions`. */
export interface DraftExtension {
  /** Reads the `type` of an extension data type. @throws UnknownDataTypeError, InvalidMetadataError */
  readonly dataType?: (type: Json) => ResolvedDataType;
  /** Writes a data type of its own: the `type`, and the core identifier that others may read it as; undefined for others. */
  readonly writeDataType?: (
    dataType: DataType,
    endian: Endian,
  ) => { readonly type: Json; readonly fallback?: string } | undefined;
  /** Reads an extension chunk grid as a grid of the model. @throws InvalidMetadataError */
  readonly chunkGrid?: (chunkGrid: JsonObject, shape: readonly number[]) => ChunkGrid;
  /** Reads a memory layout: the array's dimensions from the slowest to the fastest changing. @throws InvalidMetadataError */
  readonly memoryLayout?: (layout: JsonObject, rank: number) => readonly number[];
}

/**
 * Extensions of the 2020 draft that are understood, by URI. An application adds its own:
 *
 *     draftExtensions.set("https://example.org/zarr/z-order", { memoryLayout: (json, rank) => ... })
 */
export const draftExtensions = new Map<string, DraftExtension>();
