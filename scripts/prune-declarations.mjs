// Removes from dist/types the declarations that no entry of package.json leads to: more than half of them,
// which applications would only download. `npm run build` runs it after tsc.
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
const needed = new Set();
const open = Object.values(exports).flatMap(({ types }) => (types === undefined ? [] : [join(types)]));
for (let file = open.pop(); file !== undefined; file = open.pop()) {
  // Examples in comments name files that are not there.
  if (needed.has(file) || !existsSync(file)) continue;
  needed.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/(?:from|import) ?\(?"(\.[^"]+)\.js"/g);
  for (const [, path] of imports) open.push(join(dirname(file), `${path}.d.ts`));
}
for (const entry of readdirSync("dist/types", { recursive: true, withFileTypes: true })) {
  const file = join(entry.parentPath, entry.name);
  if (entry.isFile() && !needed.has(file)) rmSync(file);
}
