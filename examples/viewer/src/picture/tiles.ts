/** The tiles of a layer: which are wanted, on their way, or in the graphics memory. */
import { type ChunkCache, type ChunkWorkers, get, prefetch, type Selection, slice } from "wazarr";
import type { Layer } from "../data/layers.js";
import { type Numbers, numbersOf } from "../data/values.js";
import type { Renderer, Texture } from "./renderer.js";
import { sample, type TextureData, textureData, transposed } from "./texture-data.js";

const AT_ONCE = 8;
const TEXTURE_BYTES = 192 << 20;
/** A tile is made of whole chunks, and about this wide and high. */
const TILE = 256;

export interface Tile {
  readonly level: number;
  /** Index of each dimension of the finest level; those of x and y are not looked at. */
  readonly indices: readonly number[];
  readonly column: number;
  readonly row: number;
}

export interface LoadedTile {
  readonly texture: Texture;
  /** Some of its values, in order, without those that are missing. */
  readonly samples: readonly number[];
}

export interface Failure {
  readonly tile: Tile;
  readonly message: string;
  readonly retry: () => void;
}

export interface TilesOptions {
  readonly layer: Layer;
  readonly renderer: Renderer;
  readonly cache: ChunkCache;
  readonly workers: ChunkWorkers;
  /** Default: textures of the values themselves. */
  readonly paint?: ((values: Numbers) => TextureData) | undefined;
  /** Something arrived, failed or was given up. */
  readonly onChange: () => void;
}

export function createTiles({ layer, renderer, cache, workers, paint, onChange }: TilesOptions) {
  const { x, y } = layer;
  const sizes = layer.levels.map(({ array }) => ({
    width: tileLength(array.chunks[x] ?? 1, array.shape[x] ?? 1),
    height: y === x ? 1 : tileLength(array.chunks[y] ?? 1, array.shape[y] ?? 1),
  }));
  /** In the order of their last use. */
  const loaded = new Map<string, LoadedTile>();
  const running = new Map<string, AbortController>();
  const failed = new Map<string, Failure>();
  let wanted = new Map<string, Tile>();
  let ahead: AbortController | undefined;
  let held = 0;

  const nameOf = ({ level, indices, column, row }: Tile): string =>
    `${level}/${indices.map((index, d) => (d === x || d === y ? "" : indexAt(level, d, index))).join()}/${column},${row}`;

  function indexAt(level: number, d: number, index: number): number {
    const { array, factors } = layer.levels[level] ?? {};
    return Math.min(Math.floor(index / (factors?.[d] ?? 1)), Math.max(0, (array?.shape[d] ?? 1) - 1));
  }

  /** Where a tile lies in its level, in elements. */
  function boxOf({ level, column, row }: Tile) {
    const { width, height } = sizes[level] ?? { width: 1, height: 1 };
    const shape = layer.levels[level]?.array.shape ?? [];
    const [left, top] = [column * width, row * height];
    return {
      left,
      top,
      right: Math.min(left + width, shape[x] ?? 0),
      bottom: y === x ? 1 : Math.min(top + height, shape[y] ?? 0),
    };
  }

  function selectionOf(tile: Tile): Selection {
    const { left, right, top, bottom } = boxOf(tile);
    return tile.indices.map((index, d) =>
      d === x ? slice(left, right) : d === y ? slice(top, bottom) : indexAt(tile.level, d, index),
    );
  }

  async function load(name: string, tile: Tile): Promise<void> {
    const controller = new AbortController();
    running.set(name, controller);
    const { signal } = controller;
    try {
      const array = layer.levels[tile.level]?.array;
      if (!array) return;
      const { data } = await get(array, selectionOf(tile), { cache, workers, signal });
      signal.throwIfAborted();
      const { left, right, top, bottom } = boxOf(tile);
      const [width, height] = [right - left, bottom - top];
      const numbers = numbersOf(data);
      const values = x < y ? transposed(numbers, width, height) : numbers;
      const texture = renderer.upload(paint?.(values) ?? textureData(values, layer.missing), width, height);
      loaded.set(name, { texture, samples: sample(values, layer.missing) });
      held += texture.byteLength;
      failed.delete(name);
    } catch (error) {
      if (signal.aborted) return;
      const message = error instanceof Error ? error.message : String(error);
      const retry = (): void => {
        failed.delete(name);
        next();
        onChange();
      };
      failed.set(name, { tile, message, retry });
    } finally {
      running.delete(name);
      next();
      onChange();
    }
  }

  function next(): void {
    for (const [name, tile] of wanted) {
      if (running.size >= AT_ONCE) return;
      if (!loaded.has(name) && !running.has(name) && !failed.has(name)) void load(name, tile);
    }
  }

  /** The least recently used go first; those that are wanted stay. */
  function makeRoom(): void {
    for (const [name, { texture }] of loaded) {
      if (held <= TEXTURE_BYTES) return;
      if (wanted.has(name)) continue;
      loaded.delete(name);
      renderer.free(texture);
      held -= texture.byteLength;
    }
  }

  return {
    layer,
    boxOf,

    sizeOf: (level: number) => sizes[level] ?? { width: 1, height: 1 },

    /** What is there of a tile; it counts as used. */
    find(tile: Tile): LoadedTile | undefined {
      const name = nameOf(tile);
      const found = loaded.get(name);
      if (found) {
        loaded.delete(name);
        loaded.set(name, found);
      }
      return found;
    },

    /**
     * Says which tiles are to be seen, the most important first. What was on its way and is not among them is
     * given up.
     */
    want(tiles: readonly Tile[]): void {
      wanted = new Map(tiles.map((tile) => [nameOf(tile), tile]));
      for (const [name, controller] of running) if (!wanted.has(name)) controller.abort();
      for (const name of failed.keys()) if (!wanted.has(name)) failed.delete(name);
      ahead?.abort();
      ahead = undefined;
      makeRoom();
      next();
    },

    /** Brings the chunks of tiles into the cache while nothing else is to be done. */
    prefetch(tiles: readonly Tile[]): void {
      if (ahead || running.size > 0) return;
      ahead = new AbortController();
      const { signal } = ahead;
      const all = async (): Promise<void> => {
        for (const tile of tiles) {
          const array = layer.levels[tile.level]?.array;
          if (array && !loaded.has(nameOf(tile)))
            await prefetch(array, selectionOf(tile), { cache, workers, signal });
        }
      };
      // What fails here fails again, and is told, when it is wanted.
      all().catch(() => {});
    },

    get progress() {
      const done = [...wanted.keys()].filter((name) => loaded.has(name) || failed.has(name)).length;
      return { done, total: wanted.size };
    },

    get failures(): readonly Failure[] {
      return [...failed.values()];
    },

    /** Values of the tiles that are to be seen. @param channel undefined: of all channels */
    samples(channel?: number): readonly number[] {
      const c = layer.channels?.dimension ?? -1;
      return [...wanted].flatMap(([name, { indices }]) =>
        channel === undefined || indices[c] === channel ? (loaded.get(name)?.samples ?? []) : [],
      );
    },

    close(): void {
      wanted = new Map();
      ahead?.abort();
      for (const controller of running.values()) controller.abort();
      for (const { texture } of loaded.values()) renderer.free(texture);
      loaded.clear();
    },
  };
}

export type Tiles = ReturnType<typeof createTiles>;

/** Whole chunks, at least `TILE` elements where the array has them; larger chunks as they are. */
function tileLength(chunk: number, length: number): number {
  const chunks = Math.max(1, Math.ceil(TILE / Math.max(1, chunk)));
  return Math.max(1, Math.min(chunks * chunk, length, 2048));
}
