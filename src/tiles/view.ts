/** What a source of tiles is asked to show. */
import type { NamesOf } from "../extend.js";
import type { Bounds } from "../geozarr.js";
import type { Selectors } from "./steps.js";

/** What is looked at. */
export interface TileView {
  /**
   * In units of the map if the source has a `projection`; else of the data, over the dateline as
   * `grid.windows` takes it.
   */
  readonly bounds: Bounds;
  /** Of the same units, those in a pixel of the screen. */
  readonly resolution: number;
  /** Those that are not named stay as they are; the first index at the beginning. */
  readonly selectors?: Selectors | undefined;
  /**
   * Steps to read ahead once the view is there: `{ time: 2 }` is the next two, `{ time: -1 }` the one before.
   */
  readonly ahead?: Readonly<Record<string, number>> | undefined;
}

export const VIEW: NamesOf<TileView> = { bounds: true, resolution: true, selectors: true, ahead: true };
