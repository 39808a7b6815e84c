/** What a source of tiles is asked to show. */
import type { NamesOf } from "../extend.js";
import type { Bounds } from "../formats/geozarr.js";
import type { Selectors } from "./steps.js";

/** The part of the plane, the resolution and the step that are shown. */
export interface TileView {
  /**
   * In units of the map if the source has a `projection`; else of the data. On a plane that turns, an east
   * below the west is over the dateline, as for `grid.windows`; elsewhere it is an error.
   */
  readonly bounds: Bounds;
  /** Of these units, how many a pixel of the screen has. */
  readonly resolution: number;
  /** Dimensions that are not named stay as they are; at first, they have index 0. */
  readonly selectors?: Selectors | undefined;
  /**
   * Steps to read ahead once the view is complete: `{ time: 2 }` is the next two, `{ time: -1 }` the one
   * before.
   */
  readonly ahead?: Readonly<Record<string, number>> | undefined;
}

export const VIEW: NamesOf<TileView> = {
  bounds: "list",
  resolution: true,
  selectors: "object",
  ahead: "object",
};
