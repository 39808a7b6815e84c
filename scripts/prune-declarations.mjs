// Removes from dist/types what applications would only download: the declarations that no entry of package.json
// leads to, more than half of them, and the comments of those that are only steps on the way, in the engine and
// the kernels. `npm run build` runs it after tsc.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const needed = new Set();
const entries = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(types)]));
const open = [...entries];
for (let file = open.pop(); file !== undefined; file = open.pop()) {
  // Examples in comments name files that are not there.
  if (needed.has(file) || !existsSync(file)) continue;
  needed.add(file);
  open.push(...importsOf(file));
}
for (const entry of readdirSync("dist/types", { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !needed.has(file)) rmSync(file);
}
const shown = new Set(entries.flatMap(importsOf));
for (const file of needed) {
  if (shown.has(file) || !/^dist.types.(engine|kernels)\b/.test(file)) continue;
  writeFileSync(file, readFileSync(file, "utf8").replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, ""));
}

function importsOf(file) {
  const imports = readFileSync(file, "utf8").matchAll(/(?:from|import) ?\(?"(\.[^"]+)\.js"/g);
  return Array.from(imports, ([, path]) => join(dirname(file), `${path}.d.ts`));
}
