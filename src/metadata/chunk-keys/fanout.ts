/**
 * The chunk key encoding `fanout`, proposed for zarr-extensions (pull request 31): no folder has more than
 * `max_children` entries. Each coordinate is written in base max_children - 1, a folder for each digit:
 * "d0/12/34/d1/5/c".
 * { "name": "fanout", "configuration": { "max_children": 1001 } }
 */
import type { ChunkKeyEncodingEntry } from "../chunk-key-encodings.js";

export const fanout: ChunkKeyEncodingEntry = {
  name: "fanout",
  fromConfig(configuration) {
    configuration.ignorable(["max_children"]);
    const children = configuration.get("max_children");
    const base = (children.isNull ? 1001 : children.integer(4)) - 1;
    return {
      keyOf: (coordinates) =>
        [...coordinates.flatMap((index, d) => [`d${d}`, ...digitsOf(index, base)]), "c"].join("/"),
      coordinatesOf(key) {
        const coordinates: number[] = [];
        let index: number | undefined;
        for (const name of key.split("/").slice(0, -1)) {
          if (name.startsWith("d")) {
            if (index !== undefined) coordinates.push(index);
            index = 0;
          } else index = (index ?? 0) * base + Number(name);
        }
        return index === undefined ? coordinates : [...coordinates, index];
      },
    };
  },
};

/** The most significant digit first. */
function digitsOf(index: number, base: number): number[] {
  const digits = [index % base];
  for (let rest = Math.floor(index / base); rest > 0; rest = Math.floor(rest / base))
    digits.unshift(rest % base);
  return digits;
}
