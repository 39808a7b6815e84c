// Gives the packages of packages/ the scope of scripts/scope.json and the version of package.json, wherever
// they are named: manifests, imports, pages. `node scripts/name-packages.mjs && npm install` after a change of
// either.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const read = (file) => JSON.parse(readFileSync(file, "utf8"));
const { scope } = read("scripts/scope.json");
const { version } = read("package.json");
const folders = readdirSync("packages", { withFileTypes: true }).filter((each) => each.isDirectory());
const manifests = folders.map(({ name }) => `packages/${name}/package.json`);
const [former] = read(manifests[0]).name.split("/");

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" }).split(
  "\n",
);
for (const file of files.filter((each) => /\.(?:[mc]?[jt]sx?|json|md|html|yml|sh|py|toml)$/.test(each))) {
  const text = readFileSync(file, "utf8");
  const named = text.replaceAll(`${former}/`, `${scope}/`);
  if (named !== text) writeFileSync(file, named);
}

for (const file of manifests) {
  const manifest = read(file);
  manifest.version = version;
  for (const kind of ["dependencies", "peerDependencies"])
    for (const name of Object.keys(manifest[kind] ?? {}))
      if (name === "wazarr" || name.startsWith(`${scope}/`)) manifest[kind][name] = version;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}
