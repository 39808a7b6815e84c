/**
 * Copies of what xarray wrote, from v2 to v3 and back: xarray and openDataset read the same of them as of the
 * source.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { consolidateMetadata, root } from "../../../src/index.js";
import { copyNode } from "../../../src/main/copy.js";
import { planCopy, runLocal } from "../../../src/work/jobs.js";
import { isMissing, XarrayDatasets } from "./xarray-copies.js";

async function byCopyNode(from: FileSystemStore, to: FileSystemStore, zarrFormat: 2 | 3): Promise<void> {
  await copyNode(root(from), root(to), { zarrFormat });
  await consolidateMetadata(to);
}

async function byPlan(from: FileSystemStore, to: FileSystemStore, zarrFormat: 2 | 3): Promise<void> {
  await runLocal(await planCopy(from.root, to.root, { zarrFormat }));
  await consolidateMetadata(to);
}

describe.skipIf(isMissing)("between v2 and v3", () => {
  let sets: XarrayDatasets;
  beforeAll(() => {
    sets = new XarrayDatasets();
  });
  afterAll(() => sets?.remove());

  test.each([
    ["packed", byCopyNode],
    ["times", byCopyNode],
    ["written", byCopyNode],
    ["written", byPlan],
  ] as const)(
    "%s, %o",
    async (kind, copy) => {
      for (const { difference, opened } of await sets.copies(kind, copy)) {
        expect(difference).toBeNull();
        const [before, after] = opened;
        const names = Object.keys(before?.variables ?? {});
        expect(Object.keys(after?.variables ?? {})).toEqual(names);
        for (const name of names) {
          // Times of some units are not decoded.
          const [a, b] = await Promise.all(
            [before, after].map((each) => each?.variables[name]?.get().catch((error: unknown) => error)),
          );
          expect(b, name).toEqual(a);
        }
      }
    },
    180_000,
  );
});
