import { describe, expect, test } from "vitest";
import { isZarrError } from "../../src/base/errors.js";
import type { AbsolutePath } from "../../src/core/stores/store.js";
import { checkNewPath, keyBelow, normalisePath } from "../../src/metadata/path.js";

function refuses(run: () => unknown, message: string) {
  let caught: unknown;
  try {
    run();
  } catch (error) {
    caught = error;
  }
  expect(isZarrError(caught, "InvalidArgumentError")).toBe(true);
  expect(String(caught)).toContain(message);
}

describe("paths", () => {
  test.each([
    ["", "/"],
    ["/", "/"],
    ["//", "/"],
    ["a", "/a"],
    ["/a", "/a"],
    ["a/", "/a"],
    ["/a/b/", "/a/b"],
    ["a/.b/c..d", "/a/.b/c..d"],
    // Defect of zarrita: these went through URL parsing.
    ["100%", "/100%"],
    ["a?b#c", "/a?b#c"],
    ["a%2Fb", "/a%2Fb"],
    ["ä/😀 \\", "/ä/😀 \\"],
  ])("%j is %j", (path, normalised) => {
    expect(normalisePath(path)).toBe(normalised);
    expect(normalisePath(normalised)).toBe(normalised);
  });

  test.each(["a//b", "//a", "a//", ".", "..", "../a", "a/../b", "a/./b", "/...", "a/.."])(
    "%j is refused",
    (path) => {
      refuses(() => normalisePath(path), "expected a name that is not empty and not of periods only");
    },
  );

  test("keys stand below the root and below a node", () => {
    expect(keyBelow("/", "zarr.json")).toBe("/zarr.json");
    expect(keyBelow("/a/b", "zarr.json")).toBe("/a/b/zarr.json");
    expect(keyBelow("/a", "c/0/1")).toBe("/a/c/0/1");
  });
});

describe("new names", () => {
  test.each<AbsolutePath>(["/", "/a", "/a/b-c_d.e", "/ä ö", "/a/_b", "/c"])("%j can be created", (path) => {
    checkNewPath(path, 3);
    checkNewPath(path, 2);
  });

  test.each<AbsolutePath>(["/zarr.json", "/a/.zarray/b", "/.zgroup", "/.zattrs", "/.zmetadata"])(
    "%j would hide a document",
    (path) => {
      for (const format of [2, 3] as const) refuses(() => checkNewPath(path, format), "metadata document");
    },
  );

  test("v3 reserves two underscores", () => {
    refuses(() => checkNewPath("/a/__b", 3), 'expected a name without the reserved prefix "__", got "__b"');
    checkNewPath("/a/__b", 2);
  });
});
