/** STAC on the command line: an item is a STORE, by its only asset or by the one that is named. */
import { cpSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DATA, lines, useCommandLine } from "./use-command-line.js";

const { at, run, wazarr } = useCommandLine();

const item = (names: readonly string[]): string =>
  JSON.stringify({
    type: "Feature",
    stac_version: "1.1.0",
    id: "jacksboro",
    assets: Object.fromEntries(
      names.map((name) => [name, { href: "./relief.zarr", type: "application/vnd.zarr; version=3" }]),
    ),
  });

test("an item, its nodes, and several assets", async () => {
  cpSync(DATA, at("relief.zarr"), { recursive: true });
  writeFileSync(at("one.json"), item(["relief"]));
  writeFileSync(at("two.json"), item(["relief", "again"]));
  expect(await wazarr("tree", at("one.json"))).toBe(await wazarr("tree", at("relief.zarr")));
  const array = await wazarr("info", `${at("two.json")}|stac:relief|zarr:elevation`, "--json");
  expect(JSON.parse(array)).toMatchObject({ node_type: "array" });
  expect(await wazarr("info", `${at("two.json")}|stac:again`, "elevation", "--json")).toBe(array);
  const refused = await run("info", at("two.json"));
  expect(refused.status).toBe(2);
  expect(lines(refused).join()).toContain(
    `expected one asset, found 2 that can be opened; name one, as in "${at("two.json")}|stac:relief"`,
  );
});
