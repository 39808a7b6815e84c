/**
 * Extensions of the 2020 draft that are understood, by URI. An application adds its own:
 *
 *     draftExtensions.set("https://example.org/zarr/z-order", { memoryLayout: (json, rank) => ... })
 */
import type { ResolvedDataType } from "../data-types/data-type.js";
import type { InvalidMetadataError } from "../errors.js";
import type { Json, JsonObject } from "./json.js";
import type { Member } from "./member.js";
import type { ChunkGrid } from "./model.js";

/** What an extension gives a meaning to; one without members is understood where it stands in `extensions`. */
export interface DraftExtension {
  /** Reads the `type` of an extension data type. @throws UnknownDataTypeError, InvalidMetadataError */
  readonly dataType?: (type: Json) => ResolvedDataType;
  /** Reads an extension chunk grid that is regular after all. @throws InvalidMetadataError */
  readonly chunkGrid?: (chunkGrid: JsonObject, shape: readonly number[]) => ChunkGrid;
  /** Reads a memory layout: the array's dimensions from the slowest to the fastest changing. @throws InvalidMetadataError */
  readonly memoryLayout?: (layout: JsonObject, rank: number) => readonly number[];
}

export const draftExtensions = new Map<string, DraftExtension>();

/**
 * Reads an `extensions` list, which writers leave out now and then.
 * @throws InvalidMetadataError for an extension that must be understood and is not
 */
export function parseDraftExtensions(member: Member): readonly JsonObject[] {
  if (member.isNull) return [];
  return member.list().map((item) => {
    const extension = item.get("extension");
    const isKnown = draftExtensions.has(extension.string());
    if (item.get("must_understand").oneOf(true, false) && !isKnown) throw unknownExtension(extension);
    return item.object();
  });
}

/** The extension of an object with the names `extension` and `type`, if it is known. */
export function extensionOf(member: Member): DraftExtension | undefined {
  const type = member.get("type");
  const extension = draftExtensions.get(member.get("extension").string());
  if (type.json === undefined) throw type.invalid("what the extension defines");
  return extension;
}

export function unknownExtension(extension: Member): InvalidMetadataError {
  return extension.invalid(
    "an extension that is known, as it must be understood (draftExtensions adds some)",
  );
}
