/**
 * The declarations of the package are understood by the oldest TypeScript that docs/runtimes.md names, and
 * are checked themselves. package.test.ts has the newest.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { installPackage } from "./install.js";

/** As scripts/oracles/install.sh puts it there. */
const OLDEST = ".oracles/typescript/node_modules/typescript/bin/tsc";
const folder = mkdtempSync(join(tmpdir(), "wazarr-typescript-"));
afterAll(() => rmSync(folder, { recursive: true }));

const PROGRAM = `
import { defineArrayExtension, FetchStore, get, open, root, select, slice } from "wazarr";
import { toFloat32Array } from "wazarr/data-types";
import { DirectoryHandleStore } from "wazarr/stores/directory-handle";
import { FileSystemStore } from "wazarr/stores/file-system";
import { ZipStore } from "wazarr/stores/zip";
import { WorkerPool } from "wazarr/workers";

const where = root(new FetchStore("https://example.com"));
const array = await open(where, { kind: "array", dtype: "int16" });
const row: Int16Array = (await get(array, select(array, { time: 0 }))).data;
const one: number = await get(array, [0, 1]);
const part: Int16Array = (await get(array, [0, slice(3)], { workers: new WorkerPool() })).data;
// @ts-expect-error the data of int16 are no floats
const floats: Float32Array = (await get(array, [0, slice(3)])).data;
const folder = new DirectoryHandleStore(await navigator.storage.getDirectory());
// Its type is written out in the application's own declarations.
export const labelled = defineArrayExtension((array, log: { label: string }) => ({
  async getChunk(coordinates, options) {
    console.log(log.label);
    return array.getChunk(coordinates, options);
  },
}));
export const all = [folder, row, one, part, floats, toFloat32Array, FileSystemStore, ZipStore];
`;

beforeAll(() => {
  installPackage(folder);
  writeFileSync(join(folder, "program.mts"), PROGRAM);
  const compilerOptions = {
    strict: true,
    declaration: true,
    outDir: "out",
    skipLibCheck: false,
    target: "ES2022",
    lib: ["ES2022", "DOM"],
    module: "NodeNext",
    types: ["node"],
    typeRoots: [resolve("node_modules/@types")],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.mts"] }));
});

/** What a compiler has to say. */
function compile(compiler: string): unknown {
  try {
    return execFileSync(process.execPath, [resolve(compiler), "-p", folder], { encoding: "utf8" });
  } catch (error) {
    return error instanceof Error && "stdout" in error ? error.stdout : error;
  }
}

test.skipIf(!existsSync(OLDEST))("the oldest TypeScript compiles a program with them", () => {
  expect(compile(OLDEST)).toBe("");
});

test("docs/runtimes.md names the version that is installed", () => {
  expect(readFileSync("scripts/oracles/typescript.json", "utf8")).toContain('"typescript": "5.0.');
  expect(readFileSync("docs/runtimes.md", "utf8")).toContain("TypeScript 5.0 or newer");
});
