/** Levels over stores that answer when they are told, whose elements say where they are. */
import { create, open } from "../../src/index.js";
import { levelsInPixels, type Tile, type TileLevel } from "../../src/tiles/index.js";
import { HeldStore } from "../setup/stores.js";

export const SIDE = 256;
/** Steps of the first dimension, time. */
export const STEPS = 12;

/** All elements of a chunk: its step, level, row and column. */
export const elementOf = (step: number, level: number, row: number, column: number): number =>
  step * 1000 + level * 100 + row * 10 + column;

/** A Map that makes chunks as they are asked for. */
class Chunks extends Map<string, Uint8Array> {
  readonly #level: number;
  constructor(level: number) {
    super();
    this.#level = level;
  }
  override get(key: string): Uint8Array | undefined {
    const [, step, row, column] = /^\/c\/(\d+)\/(\d+)\/(\d+)$/.exec(key) ?? [];
    if (step === undefined) return super.get(key);
    const value = elementOf(Number(step), this.#level, Number(row), Number(column));
    return new Uint8Array(new Uint16Array(SIDE * SIDE).fill(value).buffer);
  }
}

/** Levels of 8 x 8, 4 x 4 and 2 x 2 tiles, in a plane of 2048 x 2048. */
export async function pyramid(): Promise<{ stores: HeldStore[]; levels: TileLevel[] }> {
  const stores = [0, 1, 2].map((level) => new HeldStore(new Chunks(level)));
  const arrays = await Promise.all(
    stores.map(async (store, level) => {
      const side = (8 * SIDE) >> level;
      await create(store.map, {
        shape: [STEPS, side, side],
        chunkShape: [1, SIDE, SIDE],
        dtype: "uint16",
        codecs: [],
        dimensionNames: ["time", "y", "x"],
      });
      return open(store, { kind: "array" });
    }),
  );
  return { stores, levels: levelsInPixels(arrays) };
}

/** Waits for what was answered to arrive. */
export async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn++) {
    if (turn > 5000) throw new Error("what was waited for does not come");
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

/** Level and place of a tile in short: "1:2/3". */
export const nameOf = ({ level, rows, columns }: Pick<Tile, "level" | "rows" | "columns">): string =>
  `${level}:${rows[0] / SIDE}/${columns[0] / SIDE}`;
