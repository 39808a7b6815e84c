// What the site serves besides its pages: the viewer, the examples of examples/live with their data, and the
// packages that they import.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildPackages, COPIED } from "./packages.mjs";

/** Addresses in the examples, as somebody pastes them into a file; on the site they lead to its files. */
const CDN = "https://cdn.jsdelivr.net/npm/";
const DATA = /"https:\/\/raw\.githubusercontent\.com\/[^/]+\/wazarr\/main\/examples\/([^"]+)"/g;
/** esm.sh leaves imports of the packages that its query names to the page: there is one React. */
const MODULES = /https:\/\/esm\.sh\/(@wazarr\/)?([\w-]+)(?:@\d+)?(?:\/(\w+))?(?:\?external=[\w,]+)?/g;
const BUNDLES = /https:\/\/cdn\.jsdelivr\.net\/npm\/(?:@wazarr\/)?([\w-]+)(?:@\d+)?\/\+esm/g;

/**
 * An example whose addresses of packages and of data lead to folders.
 * @param {{ wazarr: string, packages?: string, examples: string }} folders relative to the page, with a "/" at the end
 */
export function withFolders(page, { wazarr, packages, examples }) {
  const own = page
    .replaceAll(`${CDN}wazarr/dist/`, wazarr)
    .replaceAll(DATA, `new URL("${examples}$1", location.href).href`);
  if (packages === undefined) return own;
  const others = Object.entries(COPIED).reduce(
    (text, [address, { folder }]) => text.replaceAll(`${CDN}${address}`, `${packages}${folder}/`),
    own,
  );
  return others
    .replaceAll(BUNDLES, `${packages}$1.js`)
    .replaceAll(MODULES, (_, ours, name, part) =>
      [packages, ours ? "wazarr-" : "", name, part ? `-${part}` : "", ".js"].join(""),
    );
}

/** Data of the examples, relative to examples/. */
const STORES = [
  ...["cells.zarr", "century.icechunk", "jacksboro.tif", "light.zarr", "north-america.nc"],
  ...["north-america.zarr", "places.zarr", "seasons.zarr"],
].map((name) => `live/${name}`);

/** @param {string} at the folder that the site serves */
export async function buildLive(repository, at) {
  const dist = join(repository, "dist");
  if (!existsSync(join(dist, "viewer"))) throw new Error("expected dist/, which npm run build makes");
  // The package is in the folder lib of the viewer, for the examples too, and not in the folder above it.
  cpSync(join(dist, "viewer"), join(at, "viewer"), { recursive: true });
  const page = join(at, "viewer/index.html");
  writeFileSync(page, readFileSync(page, "utf8").replaceAll('"../', '"./lib/'));
  for (const name of readdirSync(dist).filter((name) => !/^(types|viewer|cli\.js)$/.test(name)))
    cpSync(join(dist, name), join(at, "viewer/lib", name), { recursive: true });
  await buildPackages(repository, join(at, "lib"));
  const examples = join(repository, "examples");
  for (const name of [...STORES, "data/jacksboro.zarr", "forecast/forecast.json", "forecast/forecast.grib2"])
    cpSync(join(examples, name), join(at, "examples", name), { recursive: true });
  // The server of a site does not list: the tree of the viewer is made of consolidated metadata.
  execFileSync(process.execPath, [
    join(dist, "cli.js"),
    "consolidate",
    join(at, "examples/data/jacksboro.zarr"),
  ]);
  const folders = { wazarr: "../../viewer/lib/", packages: "../../lib/", examples: "../" };
  for (const name of readdirSync(join(examples, "live")).filter((file) => file.endsWith(".html"))) {
    const page = readFileSync(join(examples, "live", name), "utf8");
    writeFileSync(join(at, "examples/live", name), withFolders(page, folders));
  }
}
