/** What a value should be long is a hint: whatever the file really is comes out as without it. */
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Pace } from "../../../../src/core/stores/files/pace.js";
import { OpenFile } from "../../../../src/core/stores/files/read.js";

const directory = fs.mkdtempSync(join(tmpdir(), "wazarr-read-"));
afterAll(() => fs.rmSync(directory, { recursive: true }));

const LENGTH = 5000;
const bytes = Uint8Array.from({ length: LENGTH }, (_, i) => (i * 7) % 251);
const file = join(directory, "file");
fs.writeFileSync(file, bytes);

function read(path: string, byteLength?: number) {
  const allocated: number[] = [];
  const allocate = (length: number) => {
    allocated.push(length);
    return new Uint8Array(length).fill(0xab);
  };
  const opened = new OpenFile(path, "/key", new Pace(), undefined);
  try {
    return { bytes: opened.whole(allocate, byteLength), allocated };
  } finally {
    opened.close();
  }
}

test.each([1, LENGTH - 10, LENGTH - 1, LENGTH, LENGTH + 1, 2 * LENGTH])(
  "expected to be %i bytes long",
  (hint) => {
    expect(read(file, hint).bytes).toEqual(bytes);
  },
);

test("a file of the expected length is not asked how long it is", () => {
  expect(read(file, LENGTH).allocated).toEqual([LENGTH + 1]);
});

test("an empty file", () => {
  const empty = join(directory, "empty");
  fs.writeFileSync(empty, "");
  for (const hint of [0, 1, 7]) expect(read(empty, hint).bytes).toEqual(new Uint8Array(0));
});

test.skipIf(process.platform === "win32")("what is no file, or not there, is the same error", () => {
  const pipe = join(directory, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [directory, pipe, "/dev/zero"]) {
    for (const hint of [undefined, 10]) {
      expect(() => read(path, hint), path).toThrow(/expected a file, got/);
    }
  }
  expect(() => read(join(directory, "missing"), 10)).toThrow("ENOENT");
});
