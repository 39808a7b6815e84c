/** The tiles of a view, as they arrive. */
import { useEffect, useMemo, useSyncExternalStore } from "react";
import type { DrawnType } from "wazarr/reading";
import {
  type TileLevel,
  type TilePicture,
  TileSource,
  type TileSourceOptions,
  type TileView,
} from "wazarr/tiles";
import { keyOf } from "./key-of.js";

type Levels = readonly TileLevel[] | { readonly levels: readonly TileLevel[] };
type Options<As extends DrawnType> = Omit<TileSourceOptions<As>, "onChange">;

export interface ShownTiles<As extends DrawnType> {
  /** What can be drawn now; undefined until there is a view. */
  readonly picture: TilePicture<As> | undefined;
  /** For `query`, `dimensions` and `retry`; undefined until there is a view. */
  readonly source: TileSource<As> | undefined;
}

/**
 * The tiles of a view, all of one step. The hook does not suspend: a picture is drawn while its tiles arrive, and the last
 * step stays until the next one covers the view.
 * @param levels a `GeoRaster`, or arrays with their grids, kept from render to render; undefined while they are opened
 * @param view what the screen shows; undefined while that is not known
 * @param options those of `TileSource`
 */
export function useTiles<As extends DrawnType>(
  levels: Levels | undefined,
  view: TileView | undefined,
  options: Options<As>,
): ShownTiles<As> {
  const [optionsKey, viewKey] = [keyOf(options), keyOf(view)];
  // biome-ignore lint/correctness/useExhaustiveDependencies: options of the same content are the same
  const tiles = useMemo(() => new MountedTiles(levels, options), [levels, optionsKey]);
  const shown = useSyncExternalStore(tiles.subscribe, tiles.shown, tiles.shown);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a view of the same content is the same
  useEffect(() => tiles.show(view), [tiles, viewKey]);
  return shown;
}

const NOTHING = { picture: undefined, source: undefined };

/** A source of tiles while its component is mounted: React renders more often than it mounts. */
class MountedTiles<As extends DrawnType> {
  readonly #levels: Levels | undefined;
  readonly #options: Options<As>;
  readonly #users = new Set<() => void>();
  #source: TileSource<As> | undefined;
  #shown: ShownTiles<As> = NOTHING;

  constructor(levels: Levels | undefined, options: Options<As>) {
    this.#levels = levels;
    this.#options = options;
  }

  readonly shown = (): ShownTiles<As> => this.#shown;

  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#users.add(onChange);
    return () => {
      this.#users.delete(onChange);
      // In strict mode, React unmounts what it mounts, and mounts it again.
      setTimeout(() => this.#users.size > 0 || this.#close(), 0);
    };
  };

  show(view: TileView | undefined): void {
    if (this.#levels === undefined || view === undefined) return;
    this.#source ??= new TileSource(this.#levels, { ...this.#options, onChange: () => this.#tell() });
    this.#source.show(view);
    this.#tell();
  }

  #tell(): void {
    const source = this.#source;
    const picture = source?.picture();
    if (picture !== this.#shown.picture) this.#shown = { picture, source };
    for (const tell of this.#users) tell();
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
    this.#shown = NOTHING;
  }
}
