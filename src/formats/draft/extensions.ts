/** The extensions of the 2020 draft that an application understands. */
import type {
  ChunkGrid,
  DataType,
  Endian,
  Json,
  JsonObject,
  ResolvedDataType,
} from "../../core/for-formats.js";

/**
 * The functions of an extension. One without members only allows documents to name the extension in
 * `extensions`.
 */
export interface DraftExtension {
  /** Reads the `type` of an extension data type. @throws UnknownDataTypeError, InvalidMetadataError */
  readonly dataType?: (type: Json) => ResolvedDataType;
  /**
   * Writes a data type of the extension: its `type`, and a core identifier as fallback for other readers;
   * undefined for other types.
   */
  readonly writeDataType?: (
    dataType: DataType,
    endian: Endian,
  ) => { readonly type: Json; readonly fallback?: string } | undefined;
  /** Reads an extension chunk grid as a grid of the model. @throws InvalidMetadataError */
  readonly chunkGrid?: (chunkGrid: JsonObject, shape: readonly number[]) => ChunkGrid;
  /**
   * Reads a memory layout: the array's dimensions from the slowest to the fastest changing.
   * @throws InvalidMetadataError
   */
  readonly memoryLayout?: (layout: JsonObject, rank: number) => readonly number[];
}

/**
 * The known extensions of the 2020 draft, by URI. An application can add its own:
 *
 *     draftExtensions.set("https://example.org/zarr/z-order", { memoryLayout: (json, rank) => ... })
 */
export const draftExtensions = new Map<string, DraftExtension>();
