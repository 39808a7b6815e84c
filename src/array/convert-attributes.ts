/** Attributes and members beside the model's, as another format or layout has them. */
import type { ZarrFormat } from "../data-types/data-type.js";
import type { JsonObject } from "../metadata/json.js";
import type { ArrayMetadata } from "../metadata/model.js";
import { ARRAY_DIMENSIONS, isFilter } from "../metadata/v2.js";

/** Options of a conversion that an extension object of the draft can contradict. */
type LayoutOptions = Partial<Record<"chunkShape" | "codecs" | "order" | "endian" | "fillValue", unknown>>;

/** What a format keeps among the attributes for want of a better place is no attribute in another. */
export function convertAttributes(
  source: ArrayMetadata,
  zarrFormat: ZarrFormat,
  names: readonly (string | null)[] | undefined,
): JsonObject {
  const moved: string[] = [];
  if (zarrFormat === 3 && names !== undefined) moved.push(ARRAY_DIMENSIONS);
  // zarr-python's filters of the draft.
  if (source.zarrFormat === "draft" && zarrFormat !== "draft" && source.codecs.some(isFilter)) {
    moved.push("filters");
  }
  return Object.fromEntries(Object.entries(source.attributes).filter(([name]) => !moved.includes(name)));
}

/** Extension objects of the draft are kept as they stood; not where the conversion makes them untrue. */
export function convertExtra({ extra, zarrFormat }: ArrayMetadata, conversion: LayoutOptions): JsonObject {
  if (zarrFormat !== "draft") return extra;
  const { chunkShape, codecs, order, endian, fillValue } = conversion;
  const untrue = [
    ...(endian === undefined && fillValue === undefined ? [] : ["data_type", "fill_value"]),
    ...(chunkShape === undefined ? [] : ["chunk_grid"]),
    ...(order === undefined && codecs === undefined ? [] : ["chunk_memory_layout"]),
  ];
  return Object.fromEntries(Object.entries(extra).filter(([name]) => !untrue.includes(name)));
}
