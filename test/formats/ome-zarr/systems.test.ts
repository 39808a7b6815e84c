/**
 * Coordinate systems of 0.6: further ones of an image, scenes, and what is written as 0.6 and as one file.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  OmeImage,
  OmeScene,
  openLabels,
  openOmeZarr,
  parseOmeZarr,
  writeMultiscale,
} from "../../../src/formats/ome-zarr.js";
import { create, get, type Json, type JsonObject, root } from "../../../src/index.js";
import { packOzx, ZipStore } from "../../../src/stores/zip/zip.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";

const axes = (...names: string[]) => names.map((name) => ({ name, type: "space" }));
const PHYSICAL = { name: "physical", axes: axes("y", "x") };

function imageWith(steps: readonly JsonObject[], systems: readonly JsonObject[] = []): JsonObject {
  const own = { type: "scale", scale: [2, 3], input: { path: "0" }, output: { name: "physical" } };
  const multiscale = {
    coordinateSystems: [...systems, PHYSICAL],
    datasets: [{ path: "0", coordinateTransformations: [own] }],
    coordinateTransformations: steps.map((step) => ({
      input: { name: "physical" },
      output: { name: "world" },
      ...step,
    })),
  };
  return { ome: { version: "0.6rc0", multiscales: [multiscale] } };
}

function read(step: JsonObject) {
  const parsed = parseOmeZarr(imageWith([step], [{ name: "world", axes: axes("z", "y", "x") }]));
  if (parsed.kind !== "image") throw new Error(parsed.kind);
  const [found] = parsed.transformations;
  return found?.problem === undefined
    ? found?.transformation
    : `${found.problem.name}: ${found.problem.message}`;
}

const part = (inputAxes: Json, outputAxes: Json, transformation: JsonObject): JsonObject => ({
  inputAxes,
  outputAxes,
  transformation,
});
const byDimension = (...transformations: JsonObject[]): JsonObject => ({
  type: "byDimension",
  transformations,
});
const scale = (...factors: number[]): JsonObject => ({ type: "scale", scale: factors });
const move = (...offsets: number[]): JsonObject => ({ type: "translation", translation: offsets });

describe("further systems of an image", () => {
  test("are listed beside its own, which its axes are", () => {
    const parsed = parseOmeZarr(imageWith([move(1, 2)], [{ name: "world", axes: axes("v", "u") }]));
    expect(parsed).toMatchObject({
      axes: [{ name: "y" }, { name: "x" }],
      systems: [{ name: "world", axes: [{ name: "v" }, { name: "u" }] }, { name: "physical" }],
      transformations: [
        { input: { name: "physical", path: undefined }, output: { name: "world" }, problem: undefined },
      ],
    });
  });

  test.each<[string, JsonObject, Json]>([
    [
      "byDimension",
      byDimension(part([0], [0], scale(2)), part([1], [1], move(-10))),
      [
        [2, 0, 0],
        [0, 1, -10],
      ],
    ],
    [
      "byDimension that changes the order",
      byDimension(part([1], [0], scale(2)), part([0], [1], { type: "identity" })),
      [
        [0, 2, 0],
        [1, 0, 0],
      ],
    ],
    [
      "byDimension of a projection",
      byDimension(part([0, 1], [2, 0, 1], { type: "projectAxis", createdOutputs: [0] })),
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ],
    ],
    [
      "projectAxis that adds",
      { type: "projectAxis", createdOutputs: [0, 2] },
      [
        [0, 0, 0],
        [1, 0, 0],
        [0, 0, 0],
        [0, 1, 0],
      ],
    ],
    [
      "projectAxis that drops and adds",
      { type: "projectAxis", droppedInputs: [0], createdOutputs: [1] },
      [
        [0, 1, 0],
        [0, 0, 0],
      ],
    ],
    [
      "a sequence over a projection",
      { type: "sequence", transformations: [{ type: "projectAxis", createdOutputs: [0] }, move(5, 6, 7)] },
      [
        [0, 0, 5],
        [1, 0, 6],
        [0, 1, 7],
      ],
    ],
  ])("%s", (_, step, expected) => {
    expect(read(step)).toEqual(expected);
  });

  test.each<[string, JsonObject, RegExp]>([
    [
      "displacements of some axes",
      byDimension(part([0, 1], [0, 1], { type: "displacements", path: "field" })),
      /^UnsupportedError.*"displacements" are not supported here/,
    ],
    ["coordinates without a path", { type: "coordinates" }, /^InvalidMetadataError.*path/],
    ["a matrix in an array", { type: "rotation", path: "matrix" }, /^UnsupportedError.*array of its own/],
    ["an output twice", byDimension(part([0], [0], scale(2)), part([1], [0], scale(2))), /outputAxes.*/],
    ["an output left out", byDimension(part([0], [1], scale(2))), /each of the output axes 0 to 0 once/],
    [
      "an input that is none",
      byDimension(part([2], [0], scale(2)), part([1], [1], scale(2))),
      /axes below 2, each once/,
    ],
    ["too few outputs", byDimension(part([0, 1], [0], scale(2, 2))), /expected 2 axes, got 1/],
    ["axes that are no numbers", byDimension(part(["y"], ["y"], scale(2))), /inputAxes\[0\]/],
    ["a projection of nothing", { type: "projectAxis" }, /droppedInputs or createdOutputs/],
    ["a projection beyond the output", { type: "projectAxis", createdOutputs: [3] }, /axes below 3/],
    ["a projection to no axes", { type: "projectAxis", droppedInputs: [0, 1] }, /expected axes below 0/],
    [
      "a projection to many axes",
      { type: "projectAxis", createdOutputs: Array.from({ length: 64 }, (_, i) => i) },
      /expected axes below/,
    ],
    [
      "deep nesting",
      Array.from({ length: 40 }).reduce<JsonObject>(
        (step) => byDimension(part([0, 1], [0, 1], step)),
        scale(1, 1),
      ),
      /deep/,
    ],
  ])("a problem of %s leaves the image readable", (_, step, message) => {
    expect(read(step)).toMatch(message);
  });
});

test("a scene lists its images, which are opened, and how their systems lie", async () => {
  const store = root(new Map<string, Uint8Array>());
  const between = [
    { ...move(0, 50), input: { path: "a", name: "physical" }, output: { name: "world" } },
    { type: "identity", input: { path: "a", name: "physical" }, output: { path: "b", name: "physical" } },
  ];
  const scene = {
    coordinateSystems: [{ name: "world", axes: axes("y", "x") }],
    coordinateTransformations: between,
  };
  const ome = { version: "0.6rc0", scene };
  await create(store, { attributes: { ome } });
  for (const name of ["a", "b"])
    await writeMultiscale(
      store.resolve(name),
      { data: new Uint8Array(16), shape: [4, 4] },
      { axes: ["y", "x"], version: "0.6" },
    );
  const opened = await openOmeZarr(store);
  if (!(opened instanceof OmeScene)) throw new Error(opened.kind);
  expect(opened.names).toEqual(["a", "b"]);
  expect(opened.transformations.map(({ transformation }) => transformation)).toEqual([
    [
      [1, 0, 0],
      [0, 1, 50],
    ],
    undefined,
  ]);
  expect(opened.transformations[1]?.problem).toMatchObject({ name: "UnsupportedError" });
  expect((await opened.image("b")).systems).toMatchObject([{ name: "physical" }]);
  expect(parseOmeZarr({ ome })).toMatchObject({
    kind: "scene",
    names: ["a", "b"],
    systems: [{ name: "world" }],
  });
});

describe("0.6 in one file", () => {
  const { python, ngff } = readOracles();

  async function packed() {
    const store = new Map<string, Uint8Array>();
    const data = Uint16Array.from({ length: 2 * 8 * 8 }, (_, i) => i);
    const labels = { cells: { source: { data: new Uint8Array(64).fill(3), shape: [8, 8] } } };
    const options = {
      axes: ["c", "y", "x"],
      pixelSize: { y: 0.5, x: 0.25 },
      scaleFactors: [2],
      shards: [1, 8, 8],
      chunkShape: [1, 4, 4],
    };
    await writeMultiscale(store, { data, shape: [2, 8, 8] }, { ...options, version: "0.6", labels });
    const pieces: Uint8Array[] = [];
    for await (const bytes of packOzx(store)) pieces.push(bytes);
    return { store, archive: Buffer.concat(pieces) };
  }

  test("documents come first, those above before those below, and the comment says so", async () => {
    const { archive, store } = await packed();
    const zip = ZipStore.fromBlob(new Blob([archive]));
    expect((await zip.list()).sort()).toEqual([...store.keys()].sort());
    const image = await openOmeZarr(zip);
    if (!(image instanceof OmeImage)) throw new Error(image.kind);
    expect(image.version).toBe("0.6");
    expect(image.warnings).toEqual([]);
    expect(image.levels.map(({ transformation }) => transformation.map((row) => row.at(-1)))).toEqual([
      [0, 0, 0],
      [0, 0.25, 0.125],
    ]);
    expect(image.levels[1]?.pixelSize).toEqual([1, 1, 0.5]);
    const [finest] = image.levels;
    if (finest === undefined) throw new Error("expected a level");
    expect((await get(finest.array, [1, 0, null])).data).toEqual(
      Uint16Array.from({ length: 8 }, (_, i) => 64 + i),
    );
    const cells = await (await openLabels(image))?.image("cells");
    expect(cells?.version).toBe("0.6");
    const comment = JSON.stringify({
      ome: { version: "0.6rc0", zipFile: { centralDirectory: { jsonFirst: true } } },
    });
    expect(archive.subarray(-comment.length).toString()).toBe(comment);
    const names = [
      "zarr.json",
      "0/zarr.json",
      "1/zarr.json",
      "labels/zarr.json",
      "labels/cells/zarr.json",
      "0/c/",
    ];
    const places = names.map((name) => archive.indexOf(name));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBe(30);
  });

  test("a store that is no OME-Zarr in v3 is refused", async () => {
    const store = new Map<string, Uint8Array>();
    await create(store);
    await expect(packOzx(store).next()).rejects.toMatchObject({
      name: "InvalidMetadataError",
      member: "attributes.ome",
    });
    await expect(packOzx(new Map()).next()).rejects.toMatchObject({ name: "InvalidMetadataError" });
  });

  const executable = ngff?.executable ?? python?.executable;
  if (executable === undefined) warnLoudly("No Python: its zarr is NOT asked about .ozx.");
  test.runIf(executable !== undefined)("Python's zarr reads it, and zipfile its comment", async () => {
    const { archive } = await packed();
    const folder = mkdtempSync(join(tmpdir(), "wazarr-ozx-"));
    try {
      const path = join(folder, "image.ozx");
      writeFileSync(path, archive);
      const program = [
        "import json, sys, zarr, zipfile",
        "z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None",
        "g = zarr.open_group(zarr.storage.ZipStore(sys.argv[1], mode='r'), mode='r')",
        "print(json.dumps([json.loads(z.comment), z.namelist()[0], int(g['0'][...].sum()), list(g['1'].shape)]))",
      ].join("\n");
      const answer = execFileSync(executable ?? "", ["-c", program, path], { encoding: "utf8" });
      expect(JSON.parse(answer)).toEqual([
        { ome: { version: "0.6rc0", zipFile: { centralDirectory: { jsonFirst: true } } } },
        "zarr.json",
        (127 * 128) / 2,
        [2, 4, 4],
      ]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
