// What the picture of the first page is made of: its stage and the coastlines of Natural Earth.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mesh } from "topojson-client";

/** @param {string} at the folder that the site serves */
export function buildFirst(repository, at) {
  mkdirSync(join(at, "first"), { recursive: true });
  cpSync(join(repository, "site/first/stage.html"), join(at, "first/stage.html"));
  const land = JSON.parse(readFileSync(join(repository, "node_modules/world-atlas/land-110m.json"), "utf8"));
  writeFileSync(join(at, "first/coasts.json"), JSON.stringify(mesh(land, land.objects.land)));
}
