import { describe, expect, test } from "vitest";
import { chunkKey } from "../../src/grid/chunk-key.js";

describe("chunk keys", () => {
  // v3 core specification, "Chunk key encoding"; v2 specification, "Storing chunks"; 2020 draft, "Chunk
  // identifiers".
  test.each([
    ["default", "/", [], "c"],
    ["default", "/", [0], "c/0"],
    ["default", "/", [1, 23, 45], "c/1/23/45"],
    ["default", ".", [1, 23, 45], "c.1.23.45"],
    ["v2", ".", [], "0"],
    ["v2", "/", [], "0"],
    ["v2", ".", [0], "0"],
    ["v2", ".", [1, 23, 45], "1.23.45"],
    ["v2", "/", [1, 23, 45], "1/23/45"],
    ["draft", "/", [], "c"],
    ["draft", "/", [0], "c0"],
    ["draft", "/", [1, 23, 45], "c1/23/45"],
    ["draft", ".", [1, 23, 45], "c1.23.45"],
    ["draft", "--", [1, 23], "c1--23"],
    ["default", "/", [9007199254740991], "c/9007199254740991"],
  ] as const)("%s %j %j is %j", (name, separator, coordinates, key) => {
    expect(chunkKey({ name, separator }, coordinates)).toBe(key);
  });
});
