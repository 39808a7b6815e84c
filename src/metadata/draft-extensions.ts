/**
 * Extensions of the 2020 draft that are understood, by URI. An application adds its own:
 *
 *     draftExtensions.set("https://example.org/zarr/z-order", { memoryLayout: (json, rank) => ... })
 */
import type { DataType, Endian, ResolvedDataType } from "../data-types/data-type.js";
import type { Json, JsonObject } from "./json.js";
import type { ChunkGrid } from "./model.js";

/** What an extension gives a meaning to; one without members is understood where it stands in `extensions`. */
export interface DraftExtension {
  /** Reads the `type` of an extension data type. @throws UnknownDataTypeError, InvalidMetadataError */
  readonly dataType?: (type: Json) => ResolvedDataType;
  /** Writes a data type of its own: the `type`, and the core identifier that others may read it as; undefined for others. */
  readonly writeDataType?: (
    dataType: DataType,
    endian: Endian,
  ) => { readonly type: Json; readonly fallback?: string } | undefined;
  /** Reads an extension chunk grid that is regular after all. @throws InvalidMetadataError */
  readonly chunkGrid?: (chunkGrid: JsonObject, shape: readonly number[]) => ChunkGrid;
  /** Reads a memory layout: the array's dimensions from the slowest to the fastest changing. @throws InvalidMetadataError */
  readonly memoryLayout?: (layout: JsonObject, rank: number) => readonly number[];
}

export const draftExtensions = new Map<string, DraftExtension>();
