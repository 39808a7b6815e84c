/** The options of a source of tiles. */
import type { NamesOf } from "../extend.js";
import type { DrawAsOptions, DrawnType } from "../main/reading.js";
import type { PlaneProjection } from "./projection.js";

/** `as` and what belongs to it (`missing`, `scale`, `window`, ...) are those of `get`, for all tiles. */
export interface TileSourceOptions<As extends DrawnType>
  extends Pick<
    DrawAsOptions<As>,
    "as" | "missing" | "missingAs" | "scale" | "offset" | "window" | "workers" | "cache"
  > {
  /**
   * Called when the picture has changed because tiles have arrived; draw in the next frame. `show` does not
   * call it. What it throws is among the `failures` of the picture until the next `show` or `retry`, and
   * `complete` throws it.
   */
  readonly onChange?: (() => void) | undefined;
  /**
   * Converts the plane of the data to that of a map. Then `show` takes views of the map, and tiles have their
   * triangles there.
   */
  readonly projection?: PlaneProjection | undefined;
  /**
   * Bytes of all tiles that are kept; 256 MiB unless given. A view gets at most half of it: a larger one is
   * shown in a coarser level.
   */
  readonly maximumBytes?: number | undefined;
  /** Tiles that are read at once; 16 unless given. */
  readonly concurrency?: number | undefined;
  /** Labels by which `selectors` may name the indices of a dimension, all of them in their order. */
  readonly labels?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Names of all dimensions of the arrays, for arrays that have none. */
  readonly dimensions?: readonly string[] | undefined;
}

export const SOURCE_OPTIONS: NamesOf<TileSourceOptions<DrawnType>> = {
  as: true,
  missing: true,
  missingAs: true,
  scale: true,
  offset: true,
  window: "list",
  workers: true,
  cache: true,
  onChange: "function",
  projection: true,
  maximumBytes: true,
  concurrency: true,
  labels: "object",
  dimensions: "list",
};
