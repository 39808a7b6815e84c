/** AnnData and SpatialData that anndata and spatialdata wrote (scripts/oracles/make_anndata_fixtures.py). */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openAnnData, openSpatialData } from "../../../src/formats/anndata.js";
import { openOmeZarr } from "../../../src/formats/ome-zarr.js";
import { get, open, root } from "../../../src/index.js";
import { type Fixture, read, storeOf } from "./expected.js";

type Fixtures = Readonly<Record<"v2" | "v3" | "chunked" | "empty", Fixture>> & {
  readonly spatial: Fixture & {
    readonly names: Readonly<Record<string, readonly string[]>>;
    readonly attributes: { readonly region: string };
  };
};
const fixtures: Fixtures = JSON.parse(readFileSync("test/fixtures/anndata.json", "utf8"));

test.each(["v3", "v2", "chunked", "empty"] as const)("%s: all that anndata reads", async (name) => {
  const fixture = fixtures[name];
  const data = await openAnnData(storeOf(fixture));
  expect(data.shape).toEqual(fixture.expected.matrices.X?.shape);
  expect(await read(data, fixture.expected)).toEqual(fixture.expected);
  expect(data.obs.columnNames).toEqual(Object.keys(fixture.expected.obs.columns));
});

test("names of parts, and what anybody put into uns", async () => {
  const data = await openAnnData(storeOf(fixtures.v3));
  expect(await data.names("layers")).toEqual(["counts", "more"]);
  expect(await data.names("obsm")).toEqual(["X_umap"]);
  expect(await data.names("nothing")).toEqual([]);
  const title = await open(data.group.resolve("uns/title"), { kind: "array" });
  expect(await get(title, [])).toBe("random");
});

test("SpatialData: names of elements, a table with what it annotates, an image", async () => {
  const { names, expected, attributes, ...fixture } = fixtures.spatial;
  const store = storeOf({ ...fixture, expected });
  const sample = await openSpatialData(store);
  expect(sample.names).toEqual(names);
  const { table, target } = await sample.table("table");
  expect(target).toEqual({ regions: [attributes.region], regionKey: "region", instanceKey: "instance_id" });
  expect(await read(table, expected)).toEqual(expected);
  const image = await openOmeZarr(sample.location("images", "blobs_image"));
  expect(image.kind === "image" && image.levels[0]?.array.shape).toEqual([3, 16, 16]);
  const labels = await openOmeZarr(sample.location("labels", "blobs_labels"));
  expect(labels.kind === "image" && labels.levels[0]?.array.shape).toEqual([16, 16]);
  expect(() => sample.location("images", "none")).toThrow(
    'no "none" in "images"; there are blobs_image, blobs_multiscale_image',
  );
  await expect(openSpatialData(root(store).resolve("tables/table"))).rejects.toThrow("expected SpatialData");
});
