/** examples/scrolling.mjs, against the package as it was built. */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

test("the nearest tile comes first, one out of view never, and what is prefetched last", () => {
  expect(execFileSync(process.execPath, ["examples/scrolling.mjs"], { encoding: "utf8" })).toBe(
    [
      "tile 0: drawn",
      "tile 1: out of view",
      "tile 2: drawn",
      "tile 3: drawn",
      "the server was asked for 0/0, 0/3, 0/2, 1/3",
      "",
    ].join("\n"),
  );
});
