/** Random arrays with a rectilinear chunk grid, the same ones every time. */
import type { CreateArrayOptions } from "../../src/index.js";
import type { ChunkLengths } from "../../src/metadata/model.js";
import { GZIP } from "../setup/codecs.js";
import { hexFromBytes } from "./elements.js";

export interface RectilinearCase {
  readonly shape: readonly number[];
  readonly lengths: readonly ChunkLengths[];
  /** What `create` is told of chunks and codecs. */
  readonly layout: Pick<CreateArrayOptions<"int16">, "chunkShape" | "shards" | "codecs" | "order">;
  readonly elements: Int16Array<ArrayBuffer>;
  /** As `elements` in hex. */
  readonly data: string;
  readonly data_type: "int16";
}

export function sampleRectilinearCases(count: number): readonly RectilinearCase[] {
  let state = 77;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const one = (i: number): RectilinearCase => {
    const rank = 1 + below(3);
    const inner = Array.from({ length: rank }, () => 1 + below(3));
    const shape: number[] = [];
    const lengths = inner.map((unit, d): ChunkLengths => {
      if (d > 0 && below(3) === 0) {
        shape.push(below(13));
        return unit * (1 + below(3));
      }
      const items = Array.from({ length: 1 + below(4) }, (): number | readonly [number, number] => {
        const length = unit * (1 + below(4));
        return below(3) === 0 ? [length, 1 + below(3)] : length;
      });
      const sum = items.reduce<number>(
        (all, item) => all + (typeof item === "number" ? item : item[0] * item[1]),
        0,
      );
      shape.push(Math.max(1, sum - (below(2) === 0 ? 0 : below(5))));
      return items;
    });
    const layout =
      i % 4 === 0
        ? { chunkShape: inner, shards: lengths }
        : i % 4 === 1
          ? { chunkShape: lengths, order: "F" as const }
          : {
              chunkShape: lengths,
              codecs: i % 4 === 2 ? [GZIP] : [],
            };
    const elements = Int16Array.from(
      { length: shape.reduce((product, length) => product * length, 1) },
      (_, at) => (below(3) === 0 ? 0 : at + 1),
    );
    const data = hexFromBytes(new Uint8Array(elements.buffer));
    return { shape, lengths, layout, elements, data, data_type: "int16" };
  };
  return Array.from({ length: count }, (_, i) => one(i));
}
