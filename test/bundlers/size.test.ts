/** What a page downloads before it can read: `open`, `get`, `set` and the HTTP store, with the kernels' WebAssembly. */
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { expect, test } from "vitest";

/**
 * Gzipped bytes of one minified file with all that `open`, `get`, `set` and HttpStore import statically, and the core module of
 * kernels; not what is imported when something needs it: other codecs and data types, formats, writing, failures.
 */
const LIMIT = 20_000;

const ENTRY = `
  export { get, open, set } from "./src/index.js";
  export { HttpStore } from "./src/stores/http.js";
  // Loaded at the first read wherever WebAssembly may be compiled, so it counts.
  export { default as wasm } from "./src/kernels/modules/core.generated.js";
`;

/** Codecs, rarer data types, formats and twins are downloaded when something needs them. */
const lazyImports: Plugin = {
  name: "lazy imports",
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ kind, path }) =>
      kind === "dynamic-import" ? { path, external: true } : undefined,
    );
  },
};

test("the core stays small", async () => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: ENTRY, resolveDir: ".", loader: "ts" },
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    plugins: [lazyImports],
    metafile: true,
    write: false,
  });
  const size = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
  const largest = Object.entries(metafile.outputs["stdin.js"]?.inputs ?? metafile.inputs)
    .map(([file, entry]) => [file, "bytesInOutput" in entry ? entry.bytesInOutput : entry.bytes] as const)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 12);
  expect(size, `largest: ${largest.map((entry) => entry.join(" ")).join(", ")}`).toBeLessThanOrEqual(LIMIT);
  expect(size).toBeGreaterThan(10_000);
});
