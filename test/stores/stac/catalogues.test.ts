/**
 * Documents as public catalogues publish them (scripts/oracles/make_stac_fixtures.py): what pystac reads in
 * each, and what wazarr makes of it.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAddress } from "../../../src/stores/addresses/addresses.js";
import { chooseAsset } from "../../../src/stores/stac/choose.js";
import { parseStac } from "../../../src/stores/stac/index.js";
import expected from "../../fixtures/stac/expected.json" with { type: "json" };

const documentOf = (name: string): unknown =>
  JSON.parse(readFileSync(`test/fixtures/stac/${name}.json`, "utf8"));
const parsed = (name: keyof typeof expected.documents) =>
  parseStac(documentOf(name), expected.documents[name].address);

interface Expected {
  readonly address: string;
  readonly kind: string;
  readonly id: string;
  readonly assets: Readonly<Record<string, { href: string; roles: string[]; title: string | null }>>;
}
const DOCUMENTS: readonly (readonly [string, Expected])[] = Object.entries(expected.documents);

test("are of at least six catalogues", () => expect(DOCUMENTS.length).toBeGreaterThanOrEqual(6));

describe.each(DOCUMENTS)("%s", (name, { address, kind, id, assets }) => {
  test("has the assets that pystac finds, at the same places", () => {
    const document = parseStac(documentOf(name), address);
    expect(document).toMatchObject({ kind, id });
    const found = document.assets.map(({ key, href, roles, title = null }) => [key, { href, roles, title }]);
    // pystac refuses no scheme, and nor does wazarr any of these.
    const wanted = Object.entries(assets).map(([key, { href, roles, title }]) => [
      key,
      { href, roles, title },
    ]);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(wanted));
  });

  test("names addresses that are taken apart again", () => {
    for (const asset of parseStac(documentOf(name), address).assets.flatMap((each) => [
      each,
      ...each.alternates,
    ]))
      if (asset.address !== undefined) expect(parseAddress(asset.address).form).toBe(asset.form);
  });
});

const NONE = /^/;
/** Form and address of each asset that can be opened, without the store they share. */
const opened = (
  name: keyof typeof expected.documents,
  prefix: string | RegExp = NONE,
): Record<string, string> =>
  Object.fromEntries(
    parsed(name).assets.flatMap(({ key, form, address }) =>
      address === undefined ? [] : [[key, `${form} ${address.replace(prefix, prefix === NONE ? "" : "*")}`]],
    ),
  );

test("EOPF: groups count from their store, whose consolidated metadata are those of its root", () => {
  const [{ href: store = "" } = { href: "" }] = parsed("eopf").assets.filter(({ key }) => key === "product");
  expect(opened("eopf", store)).toEqual({
    SR_10m: "hierarchy *|zarr:measurements/reflectance/r10m",
    SR_20m: "hierarchy *|zarr:measurements/reflectance/r20m",
    SR_60m: "hierarchy *|zarr:measurements/reflectance/r60m",
    B04_10m: "hierarchy *|zarr:measurements/reflectance/r10m/b04",
    product: "hierarchy *",
    zipped_product: expect.stringMatching(/^zip https:.*\|zip:$/),
  });
  const [alternate] = parsed("eopf").assets[0]?.alternates ?? [];
  expect(alternate).toMatchObject({
    key: "SR_10m/s3",
    address: expect.stringMatching(/^s3:\/\/.*\.zarr\|zarr:measurements\/reflectance\/r10m$/),
    options: { s3: { endpoint: "https://objects.eodc.eu", region: "default" } },
  });
});

test("Planetary Computer: the account of a container is in the options", () => {
  expect(opened("planetary-computer")).toEqual({
    "zarr-abfs": "hierarchy abfs://daymet-zarr/daily/hi.zarr",
    "zarr-https": "hierarchy https://daymeteuwest.blob.core.windows.net/daymet-zarr/daily/hi.zarr",
  });
  const [, abfs] = parsed("planetary-computer").assets;
  expect(abfs?.options).toEqual({ azure: { account: "daymeteuwest" } });
  expect(abfs?.variables).toEqual([
    { name: "prcp", dims: ["time", "y", "x"] },
    { name: "tmax", dims: ["time", "y", "x"] },
  ]);
});

test("Earth Search: COGs are files, and pictures for people are none", () => {
  const forms = parsed("earth-search").assets.map(({ key, form }) => [key, form]);
  expect(Object.fromEntries(forms)).toEqual({
    red: "virtual",
    green: "virtual",
    blue: "virtual",
    visual: "virtual",
    preview: "virtual",
    granule_metadata: undefined,
    thumbnail: undefined,
  });
  expect(parsed("earth-search").renders).toEqual([
    {
      name: "true-color",
      title: "True color",
      assets: ["red", "green", "blue"],
      rescale: [
        [0, 3000],
        [0, 3000],
        [0, 3000],
      ],
      colormapName: undefined,
      nodata: undefined,
      expression: undefined,
    },
    {
      name: "ndvi",
      title: undefined,
      assets: ["red"],
      rescale: [[-1, 1]],
      colormapName: "rdylgn",
      nodata: Number.NaN,
      expression: "(nir-red)/(nir+red)",
    },
  ]);
});

test("CEDA: references by their role, whatever the media type", () => {
  expect(opened("ceda", "https://dap.ceda.ac.uk/badc/cmip6/")).toEqual({
    reference_file: expect.stringMatching(/^references \*metadata.*_kr1\.0\.json\|kerchunk:$/),
    data0001: expect.stringMatching(/^virtual \*data.*\.nc\|virtual:$/),
  });
});

test("CMR: without a media type, the ending of the name says", () => {
  const { assets } = parsed("cmr");
  expect(assets.map(({ key, form }) => `${key} ${form}`)).toEqual([
    "B04 virtual",
    "B05 virtual",
    "Fmask virtual",
    "browse undefined",
    "metadata undefined",
  ]);
  expect(assets[0]?.alternates[0]).toMatchObject({ key: "B04/s3", form: "virtual" });
});

test("Source Cooperative and NLDAS: version 3, repositories, and their regions", () => {
  expect(opened("source-cooperative")).toEqual({
    zarr: "hierarchy https://data.source.coop/dynamical/noaa-gfs-forecast/v0.2.7.zarr",
    icechunk: "icechunk s3://dynamical-noaa-gfs/noaa-gfs-forecast/v0.2.7.icechunk/|icechunk:",
  });
  expect(opened("nldas")).toEqual({
    virtual:
      "icechunk s3://nasa-waterinsight/virtual-zarr-store/NLDAS-3-icechunk/|icechunk://YTNGFY4WY9189GEH1FNG/",
  });
  expect(chooseAsset(parsed("nldas"), "", "nldas.json").options).toEqual({ s3: { region: "us-west-2" } });
});

test("VEDA: the only asset is meant", () => {
  expect(chooseAsset(parsed("veda"), "", "veda.json").key).toBe("cog_default");
  expect(parsed("veda").renders).toMatchObject([
    { name: "dashboard", colormapName: "viridis", rescale: [[0, 1.5e16]] },
  ]);
});

test("several that may be meant are listed, with how to name one", () => {
  expect(() => chooseAsset(parsed("planetary-computer"), "", "daymet.json")).toThrow(
    'daymet.json: expected one asset, found 2 that can be opened; name one, as in "daymet.json|stac:zarr-abfs": ' +
      '"zarr-abfs" (Zarr; Daily Hawaii Daymet Azure Blob File System Zarr root; variables prcp (time, y, x), tmax (time, y, x)), ' +
      '"zarr-https" (Zarr; Daily Hawaii Daymet HTTPS Zarr root; variables prcp (time, y, x), tmax (time, y, x))',
  );
  expect(() => chooseAsset(parsed("earth-search"), "rde", "s2.json")).toThrow(
    's2.json: no asset "rde": did you mean "red"?',
  );
  expect(() => chooseAsset(parsed("earth-search"), "thumbnail", "s2.json")).toThrow(
    's2.json: asset "thumbnail": its media type and name are none that wazarr opens',
  );
  expect(chooseAsset(parsed("earth-search"), "red/s3", "s2.json")).toMatchObject({
    address: expect.stringMatching(/^s3:\/\/sentinel-cogs\/.*B04\.tif\|virtual:$/),
    options: { s3: { region: "us-west-2" } },
  });
});
