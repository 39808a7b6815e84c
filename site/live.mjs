// What runs on the site: the examples of examples/live, their data, the viewer, and the package that they
// import.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Addresses in the examples, as somebody pastes them into a file of his own; on the site they lead to its own
 * files.
 */
const PACKAGE = "https://cdn.jsdelivr.net/npm/wazarr/dist/";
const DATA = /https:\/\/raw\.githubusercontent\.com\/[^/]+\/wazarr\/main\/examples\//g;

/** An example whose addresses of the package and of data lead to folders beside it. */
export function withFolders(page, packageFolder, examples) {
  return page.replaceAll(PACKAGE, packageFolder).replaceAll(DATA, examples);
}

/** @param {string} home address of the repository */
export function buildLive(repository, pages, home) {
  const dist = join(repository, "dist");
  if (!existsSync(join(dist, "viewer"))) throw new Error("expected dist/, which npm run build makes");
  const at = join(pages, "public");
  cpSync(join(repository, "site/public"), at, { recursive: true });
  cpSync(join(repository, "docs/images/viewer.jpg"), join(at, "viewer.jpg"));
  // The viewer imports the package from the folder lib beside it, and the examples do.
  cpSync(join(dist, "viewer"), join(at, "viewer"), { recursive: true });
  for (const name of readdirSync(dist).filter((name) => !/^(types|viewer|cli\.js)$/.test(name)))
    cpSync(join(dist, name), join(at, "viewer/lib", name), { recursive: true });
  cpSync(join(repository, "examples/data/jacksboro.zarr"), join(at, "examples/data/jacksboro.zarr"), {
    recursive: true,
  });
  // The server of a site does not list: the tree of the viewer is made of consolidated metadata.
  const data = join(at, "examples/data/jacksboro.zarr");
  execFileSync(process.execPath, [join(dist, "cli.js"), "consolidate", data]);
  const live = join(repository, "examples/live");
  for (const name of ["light.zarr", "places.zarr"])
    cpSync(join(live, name), join(at, "examples/live", name), { recursive: true });
  for (const name of readdirSync(live).filter((file) => file.endsWith(".html")))
    writeFileSync(
      join(at, "examples/live", name),
      withFolders(readFileSync(join(live, name), "utf8"), "../../viewer/lib/", "../"),
    );
  mkdirSync(pages, { recursive: true });
  const page = readFileSync(join(repository, "site/live.md"), "utf8");
  writeFileSync(
    join(pages, "live.md"),
    page.replaceAll(/^<<< (.+)$/gm, (_, file) => codeOf(join(repository, file), home)),
  );
}

/** A whole example as a block of code, with the repository's own address. */
function codeOf(file, home) {
  const [, owner = "OWNER"] = /github\.com\/([^/]+)\//.exec(home) ?? [];
  const text = readFileSync(file, "utf8").replaceAll("/OWNER/", `/${owner}/`);
  return `::: details The page: ${basename(file)}\n\`\`\`html\n${text}\`\`\`\n:::`;
}
