// Runs a TypeScript program of this repository: `node scripts/run-ts.mjs bench/index.ts [arguments]`. esbuild
// bundles it into build/, without packages: Node cannot run TypeScript before version 22.
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const [source, ...rest] = process.argv.slice(2);
if (source === undefined) throw new Error("expected the path of a TypeScript program");
const outfile = resolve("build/run", `${basename(source, ".ts")}.mjs`);
await build({
  entryPoints: [source],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  target: "node20",
  sourcemap: "inline",
  logLevel: "warning",
});
process.argv.splice(1, process.argv.length, outfile, ...rest);
await import(pathToFileURL(outfile).href);
