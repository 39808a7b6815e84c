/** The tiles of a layer, or of one of its channels: a source of them, and what textures are made of them. */
import type { DrawnType } from "wazarr/reading";
import { levelsInPixels, type PlaneProjection, type Tile, type TileLevel, TileSource } from "wazarr/tiles";
import type { Layer } from "../data/layers.js";
import { drawnTypeOf, type Numbers } from "../data/values.js";
import { cache, workers } from "../reading.js";
import { sample, sampleDifferences, type TextureData, textureData } from "./texture-data.js";

/** Of all channels of a layer together, unless they are many. */
const BYTES = 256 << 20;
/** Of one channel, at least. */
const ELEMENTS = 32 << 20;

/** What the screen shows, in elements of the finest level of the image. */
export interface Seen {
  readonly bounds: readonly [left: number, top: number, right: number, bottom: number];
  /** Elements along a pixel of the screen. */
  readonly resolution: number;
}

/** Where a layer lies on a map. */
export interface Placing {
  readonly levels: readonly TileLevel[];
  readonly projection: PlaneProjection;
}

export interface TilesOptions {
  readonly layer: Layer;
  /** How many channels the layer has. */
  readonly channels?: number | undefined;
  /** Default: textures of the values themselves. */
  readonly toTexture?: ((values: Numbers) => TextureData) | undefined;
  /** Something arrived or failed. */
  readonly onChange: () => void;
  /** Default: in its own plane of elements. */
  readonly placing?: Placing | undefined;
  /** Whether values are read as floats whatever they are, so that tiles of another type can be taken away. */
  readonly isFloat?: boolean | undefined;
}

export function createTiles({
  layer,
  channels = 1,
  toTexture = textureData,
  onChange,
  placing,
  isFloat = false,
}: TilesOptions) {
  const { x, y, dimensions, factors } = layer;
  const [fx, fy] = [factors[x] ?? 1, factors[y] ?? 1];
  const own = drawnTypeOf(layer.dtype) ?? "float64";
  const as: DrawnType = isFloat && own !== "float64" ? "float32" : own;
  const bytes = Number(as.replace(/\D/g, "")) / 8;
  const maximumBytes = Math.max(BYTES / channels, ELEMENTS * bytes);
  const levels = placing?.levels ?? levelsInPixels(layer.levels, { yAxis: y, xAxis: x });
  const source = new TileSource<DrawnType>(levels, {
    as,
    projection: placing?.projection,
    // In textures of integers the shader looks for them.
    missing: as.startsWith("float") ? layer.missing : [],
    dimensions: dimensions.map(({ name }) => name),
    maximumBytes,
    cache,
    workers,
    onChange,
  });
  const samples = new WeakMap<Numbers, readonly number[]>();

  return {
    layer,
    toTexture,
    picture: () => source.picture(),
    progress: () => source.progress,
    retry: () => source.retry(),
    close: () => source.close(),

    /**
     * Reads what is seen.
     * @param indices along each dimension of the layer; those of x and y are not looked at
     * @param played the dimension that is going to be played
     */
    show(
      { bounds: [left, top, right, bottom], resolution }: Seen,
      indices: readonly number[],
      played = "",
    ): void {
      const others = dimensions.flatMap(({ name }, d) =>
        d === x || d === y ? [] : [[name, indices[d] ?? 0]],
      );
      source.show({
        bounds: [left / fx, top / fy, right / fx, bottom / fy],
        resolution: resolution / fx,
        selectors: Object.fromEntries(others),
        ahead: Object.hasOwn(source.dimensions, played) ? { [played]: 2 } : {},
      });
    },

    /** Elements of the finest level of the image that can be seen at once: `maximumBytes` are for two views. */
    most(): number {
      const [across, down] = source.levels.at(-1)?.grid.resolution ?? [1, 1];
      return (maximumBytes / bytes / 3) * across * fx * down * fy;
    },

    /** Some of the differences from the same elements of something else, whose values `factor` multiplies. */
    differences(
      from: { readonly picture: () => ReturnType<typeof source.picture> },
      factor: number,
    ): readonly number[] {
      const others = new Map(from.picture().tiles.map((tile) => [placeOf(tile), tile.data]));
      return source.picture().tiles.flatMap((tile) => {
        const other = others.get(placeOf(tile));
        return other ? sampleDifferences(tile.data, other, factor, layer.missing) : [];
      });
    },

    /** Some of the values that are seen, in order, without those that are missing. */
    samples(): readonly number[] {
      return source.picture().tiles.flatMap(({ data }) => {
        const found = samples.get(data) ?? sample(data, layer.missing);
        samples.set(data, found);
        return found;
      });
    },
  };
}

/** Names the elements of a tile, of whatever step. */
export const placeOf = ({
  level,
  rows,
  columns,
  turn,
}: Pick<Tile, "level" | "rows" | "columns" | "turn">): string => `${level} ${rows} ${columns} ${turn}`;

export type Tiles = ReturnType<typeof createTiles>;
