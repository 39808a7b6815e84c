/**
 * What the command line says: the end of a copy, codecs that it does not have, and advice in its own words.
 */
import { writeFileSync } from "node:fs";
import { inspect } from "node:util";
import { expect, test } from "vitest";
import { inWordsOfCommands } from "../../src/cli/text/problems.js";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, root } from "../../src/index.js";
import { runHere } from "../setup/command-line.js";
import { DATA, useCommandLine } from "./use-command-line.js";

const { at, here } = useCommandLine();

test.each(["copied.zarr", "copied.zip"])("a copy ends with a line, unless it is quiet: %s", async (name) => {
  expect(await here("copy", DATA, at(name))).toMatch(
    /^copied to .*copied\.z\w+: \d+ (?:tasks|chunks), [\d.]+ \w+, in \d+:\d\d\n$/,
  );
  expect(await here("copy", DATA, at(`quiet-${name}`), "--quiet")).toBe("");
});

test("info of an array with a codec that wazarr does not have: its metadata, and status 1", async () => {
  const array = await create(new FileSystemStore(at("unknown.zarr")), { shape: [4], dtype: "int8" });
  const codecs = [{ name: "bytes" }, { name: "zzz", configuration: {} }];
  const document = { zarr_format: 3, node_type: "array", shape: [4], data_type: "int8", codecs };
  const rest = { chunk_grid: { name: "regular", configuration: { chunk_shape: [4] } }, fill_value: 0 };
  const keys = { chunk_key_encoding: { name: "default" } };
  writeFileSync(at("unknown.zarr/zarr.json"), JSON.stringify({ ...document, ...rest, ...keys }));
  for (const json of [[], ["--json"]]) {
    const { status, stdout, stderr } = await runHere("info", at("unknown.zarr"), ...json);
    expect(stdout).toContain("zzz");
    expect(stderr).toBe(
      'wazarr: no codec "zzz", so elements cannot be read; convert the array with Python\n',
    );
    expect(status).toBe(1);
  }
  expect(array.shape).toEqual([4]);
});

test("info of many consolidated nodes compares none of them, and says so", async () => {
  const names = Array.from({ length: 2500 }, (_, i) => `g${i}`);
  const metadata = Object.fromEntries(names.map((name) => [name, { zarr_format: 3, node_type: "group" }]));
  const consolidated_metadata = { kind: "inline", must_understand: false, metadata };
  const group = { zarr_format: 3, node_type: "group", attributes: {}, consolidated_metadata };
  await new FileSystemStore(at("many.zarr")).set(
    "/zarr.json",
    new TextEncoder().encode(JSON.stringify(group)),
  );
  expect(await here("info", at("many.zarr"))).toMatch(
    /\nNote: the consolidated metadata list 250\d documents, more than info compares; wazarr verify compares them\n$/,
  );
});

test.each([
  ['no label 5 in coordinate "x"; nearest(...) finds the closest label', "--nearest finds the closest label"],
  [
    'no codec "zzz" is registered; registry.set("zzz", loader) adds it, or convert the array with Python. Registered: a',
    "is registered; convert the array with Python.",
  ],
  [
    "they differ; run consolidateMetadata, or `wazarr consolidate`, to update them",
    "they differ; run wazarr consolidate to update them",
  ],
  [
    'x is read by the package y: npm install y; a bundled application also needs import codec from "y" and registry.set("x", () => codec) (codec x)',
    "npm install y (codec x)",
  ],
])("%s", (message, expected) => {
  const words = inWordsOfCommands(message);
  expect(words).toContain(expected);
  expect(words).not.toMatch(/\w\(|consolidateMetadata/);
});

test("console.log prints a node on one line", async () => {
  const options = { shape: [4, 6], dtype: "float32", chunkShape: [2, 3] } as const;
  const array = await create(root().resolve("/a/b"), options);
  expect(inspect(array)).toBe("array /a/b, Zarr 3: float32 [4, 6], chunks of [2, 3]");
});
