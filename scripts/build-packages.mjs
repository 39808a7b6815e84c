// packages/NAME/dist: a bundle of src/index.ts by esbuild, and its declarations by tsc. They import the
// declarations of wazarr, so `npm run build` runs before.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { build } from "esbuild";

const names = readdirSync("packages").filter((name) => existsSync(`packages/${name}/src/index.ts`));
const types = "build/packages";
rmSync(types, { recursive: true, force: true });
execFileSync("npx", ["tsc", "-p", "packages/tsconfig.build.json"], { stdio: "inherit" });
for (const name of names) {
  const dist = `packages/${name}/dist`;
  rmSync(dist, { recursive: true, force: true });
  await build({
    entryPoints: [`packages/${name}/src/index.ts`],
    outdir: dist,
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    target: "es2022",
    // What a package imports is a package of its own, also what tsconfig.json finds in this repository.
    packages: "external",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, jsx: "react-jsx" } },
    logLevel: "warning",
  });
  cpSync("LICENSE", `packages/${name}/LICENSE`);
  cpSync(`${types}/${name}/src`, `${dist}/types`, { recursive: true });
}
