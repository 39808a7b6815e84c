/**
 * Documents of which one or two parts, by chance, become longer and longer: what reads them may cost as much
 * more, no more.
 */
import { openGeoZarr } from "../../src/formats/geozarr.js";
import { openOmeZarr } from "../../src/formats/ome-zarr.js";
import { openDataset } from "../../src/formats/xarray.js";
import { get, open, tree, withConsolidatedMetadata } from "../../src/index.js";
import type { Json, JsonObject } from "../../src/metadata/json.js";
import { ReferenceStore } from "../../src/stores/references/reference.js";
import { array, group, storeOf } from "../fuzz/growing.js";
import { faultOf } from "../fuzz/growth.js";
import { GZIP, LITTLE, TRANSPOSED } from "../setup/codecs.js";
import type { Campaign } from "./campaign.js";
import { placesIn, pumpOf, replaced } from "./pump.js";

type Store = Map<string, Uint8Array>;

interface Target {
  readonly name: string;
  /** Documents by key. */
  readonly documents: Readonly<Record<string, JsonObject>>;
  read(store: Store): Promise<unknown>;
  /** What lists stand for is the product of their lengths, up to a bound: only one becomes longer. */
  readonly isProduct?: boolean;
}

/** Elements of an array that are read: what a document may declare is not what anybody asks for. */
const MOST = 1 << 16;
const DECODED = 16 << 20;

async function readArray(store: Store): Promise<unknown> {
  const node = await open(store);
  if (node.kind === "group") return node;
  const selection = node.shape.map((length) => ({ start: 0, stop: Math.min(length, 8), step: 1 }));
  const count = selection.reduce((product, { stop }) => product * stop, 1);
  return count > MOST ? node : get(node, selection, { maximumDecodedBytes: DECODED });
}

const readTree = async (store: Store) =>
  tree(await withConsolidatedMetadata({ get: (key: string) => store.get(key) }));
const readDataset = async (store: Store) => {
  const { variables } = await openDataset(store);
  for (const { shape } of Object.values(variables)) if (shape.some((length) => length > 64)) return;
  for (const variable of Object.values(variables)) await variable.load();
};
const readReferences = async (store: Store) => {
  const document: Json = JSON.parse(new TextDecoder().decode(store.get("/references.json")));
  const references = new ReferenceStore(document, { fetch: async () => new Response("x") });
  const keys = references.list();
  references.listDir("/");
  for (const key of keys.slice(0, 20)) await references.get(key);
};
const sharding = {
  name: "sharding_indexed",
  configuration: { chunk_shape: [2, 2], codecs: [LITTLE], index_codecs: [LITTLE, { name: "crc32c" }] },
};
const struct = {
  name: "struct",
  configuration: {
    fields: [
      { name: "x", data_type: "float32" },
      {
        name: "y",
        data_type: { name: "struct", configuration: { fields: [{ name: "z", data_type: "int8" }] } },
      },
    ],
  },
};
const v2 = (more: JsonObject = {}): JsonObject => ({
  zarr_format: 2,
  shape: [4, 4],
  chunks: [4, 4],
  dtype: "<f4",
  compressor: { id: "zlib", level: 1 },
  filters: [{ id: "delta", dtype: "<f4" }],
  fill_value: 0,
  order: "C",
  ...more,
});
const level = (path: string, scale: number): JsonObject => ({
  path,
  coordinateTransformations: [
    { type: "scale", scale: [scale, scale] },
    { type: "translation", translation: [0.5, 0.5] },
  ],
});
const time = {
  dimension_names: ["time"],
  attributes: { units: "days since 2000-01-01 00:00:00", calendar: "standard" },
};
const packed = {
  scale_factor: 0.5,
  add_offset: 1,
  missing_value: [1, 2],
  _FillValue: 3,
  coordinates: "time",
};

const TARGETS: readonly Target[] = [
  {
    name: "v3",
    documents: {
      "/zarr.json": array([4, 4], { attributes: { a: ["b", { c: 1 }] }, dimension_names: ["y", "x"] }),
    },
    read: readArray,
  },
  { name: "v3, shards", documents: { "/zarr.json": array([4, 4], { codecs: [sharding] }) }, read: readArray },
  {
    name: "v3, struct",
    documents: { "/zarr.json": array([4], { data_type: struct, fill_value: "AAAAAAA=" }) },
    read: readArray,
  },
  {
    name: "v3, rectilinear",
    documents: {
      "/zarr.json": array([8], {
        chunk_grid: {
          name: "rectilinear",
          configuration: { kind: "inline", chunk_shapes: [[[2, 3], 1, 1]] },
        },
      }),
    },
    read: readArray,
  },
  {
    name: "v3, transposed text",
    documents: {
      "/zarr.json": array([4, 4], {
        data_type: "string",
        fill_value: "",
        codecs: [TRANSPOSED, { name: "vlen-utf8" }, GZIP],
      }),
    },
    read: readArray,
  },
  { name: "v2", documents: { "/.zarray": v2(), "/.zattrs": { a: "b" } }, read: readArray },
  {
    name: "v2, struct",
    documents: {
      "/.zarray": v2({
        dtype: [
          ["x", "<f4"],
          ["y", [["z", ">i2", [2]]], [3]],
        ],
        filters: null,
        fill_value: null,
      }),
    },
    read: readArray,
  },
  {
    name: "draft",
    documents: {
      "/zarr.json": {
        zarr_format: "https://purl.org/zarr/spec/protocol/core/3.0",
        metadata_encoding: "https://purl.org/zarr/spec/protocol/core/3.0",
        metadata_key_suffix: ".json",
        extensions: [],
      },
      "/meta/root.array.json": {
        shape: [4],
        data_type: "<f4",
        chunk_grid: { type: "regular", chunk_shape: [4], separator: "/" },
        chunk_memory_layout: "C",
        fill_value: 0,
        extensions: [],
        attributes: { a: "b" },
      },
    },
    read: readArray,
  },
  {
    name: "consolidated, v3",
    documents: {
      "/zarr.json": {
        ...group({}),
        consolidated_metadata: {
          kind: "inline",
          metadata: { a: group({}), "a/b": array([4]), "a/c/d": group({}) },
        },
      },
    },
    read: readTree,
  },
  {
    name: "consolidated, v2",
    documents: {
      "/.zmetadata": {
        zarr_consolidated_format: 1,
        metadata: { ".zgroup": { zarr_format: 2 }, "a/.zarray": v2(), "a/.zattrs": { b: 1 } },
      },
    },
    read: readTree,
  },
  {
    name: "data set",
    documents: {
      "/zarr.json": {
        ...group({ title: "x", coordinates: "time lat" }),
        consolidated_metadata: {
          kind: "inline",
          metadata: {
            time: array([4], time),
            t: array([4], { ...time, attributes: packed }),
            d: array([4], {
              dimension_names: ["x"],
              attributes: { units: "hours", bounds: "t", _Unsigned: "true" },
            }),
          },
        },
      },
    },
    read: readDataset,
  },
  {
    name: "image",
    documents: {
      "/zarr.json": group({
        ome: {
          version: "0.5",
          multiscales: [
            {
              name: "i",
              axes: [
                { name: "y", type: "space" },
                { name: "x", type: "space" },
              ],
              datasets: [level("0", 1), level("0", 2)],
            },
          ],
          omero: {
            channels: [{ label: "c", color: "00FF00", window: { start: 0, end: 1 } }],
            rdefs: { defaultZ: 0 },
          },
          "image-label": {
            colors: [{ "label-value": 1, rgba: [0, 0, 0, 0] }],
            properties: [{ "label-value": 1, area: 2 }],
          },
        },
      }),
      "/0/zarr.json": array([4, 4]),
    },
    read: openOmeZarr,
  },
  {
    name: "image, 0.6",
    documents: {
      "/zarr.json": group({
        ome: {
          version: "0.6",
          multiscales: [
            {
              coordinateSystems: [{ name: "s", axes: [{ name: "y" }, { name: "x" }] }],
              datasets: [
                {
                  path: "0",
                  coordinateTransformations: [
                    {
                      type: "sequence",
                      output: "s",
                      transformations: [
                        {
                          type: "rotation",
                          rotation: [
                            [0, 1],
                            [1, 0],
                          ],
                        },
                        {
                          type: "affine",
                          affine: [
                            [1, 0, 0],
                            [0, 1, 0],
                          ],
                        },
                        { type: "mapAxis", mapAxis: [1, 0] },
                        { type: "bijection", forward: { type: "identity" } },
                      ],
                    },
                  ],
                },
              ],
            },
          ],
        },
      }),
      "/0/zarr.json": array([4, 4]),
    },
    read: openOmeZarr,
  },
  {
    name: "plate",
    documents: {
      "/zarr.json": group({
        ome: {
          version: "0.5",
          plate: {
            rows: [{ name: "A" }],
            columns: [{ name: "1" }],
            wells: [{ path: "A/1", rowIndex: 0, columnIndex: 0 }, { path: "A/1" }],
            acquisitions: [{ id: 0, name: "a" }],
          },
        },
      }),
    },
    read: openOmeZarr,
  },
  {
    name: "raster",
    documents: {
      "/zarr.json": group({
        "proj:code": "EPSG:4326",
        "spatial:transform": [1, 0, 0, 0, 1, 0],
        multiscales: {
          layout: [{ asset: "0" }, { asset: "0", derived_from: "0", transform: { scale: [2, 2] } }],
        },
      }),
      "/0/zarr.json": array([4, 4], { attributes: { GeoTransform: "0 1 0 0 0 1", grid_mapping: "0" } }),
    },
    read: openGeoZarr,
  },
  {
    name: "references",
    documents: {
      "/references.json": {
        version: 1,
        templates: { u: "http://x/{{c}}", c: "file" },
        refs: { "a/0": ["{{u}}", 0, 10], "a/1": "base64:AAAA", b: ["{{u(c='{{c}}')}}"] },
      },
    },
    read: readReferences,
  },
  {
    name: "references, generated",
    isProduct: true,
    documents: {
      "/references.json": {
        version: 1,
        templates: { u: "http://x/{{c}}", c: "file" },
        refs: {},
        gen: [
          {
            key: "g/{{i}}.{{j}}",
            url: "{{u}}_{{i + 2 * (j - 1)}}",
            offset: "{{(i + 1) * 1000}}",
            length: "1000",
            dimensions: { i: { start: 0, stop: 3, step: 1 }, j: [1, 2] },
          },
        ],
      },
    },
    read: readReferences,
  },
];

export const growth: Campaign = {
  name: "growth",
  holds: "documents of which parts become longer cost as much more, and no more",
  async run(until, random) {
    const below = (limit: number) => Math.floor(random() * limit);
    const broken: string[] = [];
    let rounds = 0;
    do {
      rounds++;
      const target = TARGETS[below(TARGETS.length)];
      if (target === undefined) throw new Error("expected a target");
      const keys = Object.keys(target.documents);
      const key = keys[below(keys.length)] ?? "";
      const document: Json = target.documents[key] ?? {};
      const places = placesIn(document);
      // Two at once: much is the product of two lengths.
      const chosen = Array.from(
        { length: target.isProduct ? 1 : 1 + below(2) },
        () => places[below(places.length)] ?? [],
      );
      const pumps = chosen.map((place) => {
        let pump = pumpOf(null, below);
        replaced(document, place, (value) => {
          pump = pumpOf(value, below);
          return value;
        });
        return { place, pump };
      });
      const [first] = pumps;
      if (first === undefined) continue;
      // A number is not the length of anything: beside one, nothing else grows.
      const growing = pumps.filter(({ pump }) => pump.sizes === first.pump.sizes);
      const what = growing.map(({ place, pump }) => `${pump.name} at ${place.join(".")}`).join(", ");
      const fault = await faultOf({
        name: `${target.name}: ${what}`,
        sizes: first.pump.sizes,
        make(size) {
          const grown = growing.reduce<Json>(
            (json, { place, pump }) => replaced(json, place, (value) => pump.grow(value, size)),
            document,
          );
          const store = storeOf({ ...target.documents, [key]: grown });
          return () => target.read(store);
        },
      });
      if (fault !== undefined) broken.push(fault);
    } while (performance.now() < until && broken.length < 10);
    return [{ attack: "growing documents", rounds, broken, figures: {} }];
  },
};
