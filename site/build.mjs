// Builds the site: `npm run docs`, in the folder above. `node site/build.mjs --serve` shows it instead, and
// follows changes of the theme; both need dist/ without its declarations. The pages are docs/, with links
// that lead elsewhere in the repository made absolute, the gallery, and the reference that typedoc makes of
// the sources.
import { execFileSync, execSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { buildFirst } from "./first.mjs";
import { gallery, galleryPages } from "./gallery.mjs";
import { buildLive } from "./live.mjs";
import { entries } from "./typedoc.config.mjs";

const site = import.meta.dirname;
const repository = dirname(site);
const pages = join(site, "pages");
const { repository: home } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
const tree = `${home.url.replace(/^git\+|\.git$/g, "")}/blob/main`;

installPrograms();
rmSync(pages, { recursive: true, force: true });
mkdirSync(pages);
cpSync(join(repository, "docs/images"), join(pages, "images"), { recursive: true });
for (const name of readdirSync(join(repository, "docs")).filter((file) => file.endsWith(".md")))
  copyPage(`docs/${name}`, name);
for (const [name, text] of galleryPages(repository, home.url)) {
  mkdirSync(dirname(join(pages, name)), { recursive: true });
  writeFileSync(join(pages, name), text);
}
cpSync(join(site, "first/index.md"), join(pages, "index.md"));
const served = join(pages, "public");
cpSync(join(site, "public"), served, { recursive: true });
await buildLive(repository, served);
buildFirst(repository, served);

/** What is there is kept: to install it takes 15 seconds of the processor. */
function installPrograms() {
  // npm writes it last.
  const installed = join(site, "node_modules/.package-lock.json");
  const changed = statSync(join(site, "package-lock.json")).mtimeMs;
  if (existsSync(installed) && statSync(installed).mtimeMs > changed) return;
  execSync("npm ci --no-audit --no-fund", { cwd: site, stdio: "inherit" });
}

function copyPage(from, to) {
  const text = readFileSync(join(repository, from), "utf8");
  const linked = text.replaceAll(/\]\((?!https?:|#)([^)\s#]+)/g, (_, link) => `](${placeOf(link, from)}`);
  writeFileSync(join(pages, to), linked);
}

/** Where a relative link of a page of the repository leads on the site. */
function placeOf(link, from) {
  const file = relative(repository, resolve(repository, dirname(from), link));
  // Those that the site shows.
  const shown = gallery.find(({ page }) => file === `examples/live/${page}`);
  if (shown !== undefined) return `./gallery/${shown.name}.md`;
  if (file.startsWith("examples/live/")) return "./gallery.md";
  return file.startsWith("docs/") ? `./${file.slice("docs/".length)}` : `${tree}/${file}`;
}

// Most of what both programs allocate is soon dead: in little room, it takes them a tenth of their time to
// copy it.
const NODE_OPTIONS = "--max-semi-space-size=128";
const run = (program, ...args) =>
  execFileSync(process.execPath, [join(site, "node_modules", program), ...args], {
    cwd: site,
    env: { ...process.env, NODE_OPTIONS },
    stdio: "inherit",
  });
// A typedoc.json would come before it.
run("typedoc/bin/typedoc", "--options", "typedoc.config.mjs");
for (const name of entries.values())
  if (!existsSync(join(pages, "api", `${name}.md`)))
    throw new Error(`expected a page of ${name}, to which the sidebar leads`);
if (process.argv.includes("--serve")) run("vitepress/bin/vitepress.js", "dev");
else {
  run("vitepress/bin/vitepress.js", "build");
  // Its packages are installed by now.
  const { checkSearch } = await import("./check-search.mjs");
  await checkSearch(site);
}
