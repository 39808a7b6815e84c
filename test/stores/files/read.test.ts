/** What a value should be long is a hint: whatever the file really is comes out as without it. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { readRangesSync, WHOLE } from "../../../src/stores/files/read.js";
import type { RangeQuery, ValueState } from "../../../src/stores/store.js";

const directory = fs.mkdtempSync(join(tmpdir(), "wazarr-read-"));
afterAll(() => fs.rmSync(directory, { recursive: true }));

const LENGTH = 5000;
const bytes = Uint8Array.from({ length: LENGTH }, (_, i) => (i * 7) % 251);
const file = join(directory, "file");
fs.writeFileSync(file, bytes);

function read(path: string, ranges: readonly RangeQuery[], byteLength?: number) {
  const told: ValueState[] = [];
  const allocated: number[] = [];
  const allocate = (length: number) => {
    allocated.push(length);
    return new Uint8Array(length).fill(0xab);
  };
  const parts = readRangesSync(path, "/key", ranges, allocate, {
    byteLength,
    onValue: (state) => told.push(state),
  });
  return { parts: parts?.map((part) => [...part]), told: told.map((state) => state.byteLength), allocated };
}

const ranges: Record<string, readonly RangeQuery[]> = {
  "the whole": [WHOLE],
  "the first bytes": [{ offset: 0, length: 10 }],
  "bytes in the middle": [{ offset: 4000, length: 999 }],
  "the last bytes": [{ suffixLength: 10 }],
  "the last bytes by offset": [{ offset: 4990, length: 10 }],
  "bytes beyond the end": [{ offset: 4990, length: 100 }],
  "nothing at the end": [{ offset: LENGTH, length: 5 }],
  "several, one to the end": [{ offset: 3, length: 4 }, { suffixLength: 2 }, { offset: 4999, length: 0 }],
};

describe.each(Object.entries(ranges))("%s", (_, asked) => {
  test.each([1, LENGTH - 10, LENGTH - 1, LENGTH, LENGTH + 1, 2 * LENGTH])(
    "expected to be %i bytes long",
    (hint) => {
      const plain = read(file, asked);
      const hinted = read(file, asked, hint);
      expect(hinted.parts).toEqual(plain.parts);
      expect(hinted.told).toEqual([LENGTH]);
    },
  );
});

test("a file of the expected length is not asked how long it is", () => {
  const { told, allocated } = read(file, [WHOLE], LENGTH);
  expect(allocated).toEqual([LENGTH + 1]);
  expect(told).toEqual([LENGTH]);
});

test("an empty file", () => {
  const empty = join(directory, "empty");
  fs.writeFileSync(empty, "");
  for (const hint of [0, 1, 7]) expect(read(empty, [WHOLE], hint).parts).toEqual([[]]);
});

test.skipIf(process.platform === "win32")("what is no file, or not there, is the same error", () => {
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [directory, pipe, "/dev/zero"]) {
    for (const hint of [undefined, 10]) {
      expect(() => read(path, [WHOLE], hint), path).toThrow(/expected a file, got/);
    }
  }
  expect(() => read(join(directory, "missing"), [WHOLE], 10)).toThrow("ENOENT");
});
