// The package for JSR in build/jsr, from dist/ as `npm run build` left it: `node scripts/jsr.mjs && cd
// build/jsr && npx jsr publish --dry-run`. JSR knows packages of npm by `npm:` alone, and declarations by a
// line in the module.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const { version, license, repository, exports, dependencies, peerDependencies, devDependencies } = JSON.parse(
  readFileSync("package.json", "utf8"),
);
const [, owner = "owner"] = /github\.com\/([^/]+)/.exec(repository.url) ?? [];
const folder = "build/jsr";
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of ["dist", "README.md", "LICENSE"]) cpSync(name, join(folder, name), { recursive: true });
rmSync(join(folder, "dist/viewer"), { recursive: true, force: true });

const entries = Object.entries(exports).filter(([, entry]) => typeof entry === "object");
for (const [, entry] of entries) {
  const file = join(folder, entry.default);
  const types = relative(dirname(entry.default), entry.types);
  writeFileSync(file, `/* @ts-self-types="./${types}" */\n${readFileSync(file, "utf8")}`);
}
// There, a module is imported by the name of its file.
const declarations = readdirSync(join(folder, "dist/types"), { recursive: true, encoding: "utf8" });
for (const name of declarations.filter((each) => each.endsWith(".d.ts"))) {
  const file = join(folder, "dist/types", name);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll(/((?:from|import) ?\(?"\.{1,2}\/[^"]*)\.js"/g, '$1.d.ts"'));
}

// A range such as >=18 is none for `npm:`. Peers have the version that is tested.
const peers = Object.keys(peerDependencies).map((name) => [name, `^${devDependencies[name]}`]);
const packages = [...Object.entries(dependencies), ...peers];
const configuration = {
  name: `@${owner.toLowerCase()}/wazarr`,
  version,
  license,
  exports: Object.fromEntries(entries.map(([name, entry]) => [name, entry.default])),
  imports: Object.fromEntries(
    packages.flatMap(([name, range]) => [
      [name, `npm:${name}@${range}`],
      [`${name}/`, `npm:/${name}@${range}/`],
    ]),
  ),
  publish: { include: ["dist", "README.md", "LICENSE"], exclude: ["!dist"] },
};
writeFileSync(join(folder, "jsr.json"), JSON.stringify(configuration, undefined, 2));
