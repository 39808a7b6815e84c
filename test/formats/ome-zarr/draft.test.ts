/**
 * OME-Zarr 0.9.dev1: any axes (RFC-3) and orientations (RFC-4), read as ngff-zarr wrote them
 * (scripts/oracles/make_ome_zarr_draft_fixtures.py) and written; fields of vectors between systems (0.6).
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import {
  OmeImage,
  openOmeZarr,
  openTransformation,
  parseOmeZarr,
  type WriteMultiscaleOptions,
  writeMultiscale,
  writePlate,
} from "../../../src/formats/ome-zarr.js";
import { create, get, type JsonObject, root, set } from "../../../src/index.js";
import v09 from "../../fixtures/ome-zarr/0.9.json?raw";
import { readOracles, warnLoudly } from "../../setup/oracles.js";

interface Fixture {
  readonly expected: {
    readonly sums: Readonly<Record<string, number>>;
    readonly points: readonly (readonly number[])[];
    readonly warped: readonly (readonly number[])[];
  };
  readonly store: Readonly<Record<string, string>>;
}

const fixture: Fixture = JSON.parse(v09);
const bytes = (value: string) => Uint8Array.from(atob(value), (character) => character.charCodeAt(0));
const at = root(new Map(Object.entries(fixture.store).map(([key, value]) => [key, bytes(value)] as const)));

async function imageAt(location: Parameters<typeof openOmeZarr>[0]) {
  const node = await openOmeZarr(location);
  if (node instanceof OmeImage) return node;
  throw new Error(`found ${node.kind}`);
}

async function sumOf({ levels: [level] }: Pick<OmeImage, "levels">): Promise<number> {
  const data = level && (await get(level.array)).data;
  if (data instanceof Uint8Array || data instanceof Uint16Array)
    return Array.from(data).reduce((sum, value) => sum + value, 0);
  throw new Error("expected integers");
}

describe("ngff-zarr's 0.9.dev1", () => {
  test("any axes in any order, and tiles of them", async () => {
    const image = await imageAt(at.resolve("image"));
    expect(image).toMatchObject({ version: "0.9", warnings: [] });
    expect(image.axes.map(({ name, type }) => [name, type])).toEqual([
      ["x", "space"],
      ["wavelength", "wavelength"],
      ["y", "space"],
      ["lag", "time"],
      ["t", "time"],
    ]);
    expect(image.levels[0]?.pixelSize).toEqual([0.5, 10, 0.25, 1, 2]);
    expect(await sumOf(image)).toBe(fixture.expected.sums.image);
    const tile = await image.tile(0, 0, 0, { size: [6, 2], at: { wavelength: 2, lag: 1, t: 0 } });
    expect(tile).toMatchObject({ axes: ["x", "y"], shape: [6, 2] });
    // x, wavelength, y, lag and t have 48, 16, 4, 2 and 1 elements for a step.
    const value = (x: number, y: number) => x * 48 + 2 * 16 + y * 4 + 2;
    expect([...Uint16Array.from(Array.from({ length: 12 }, (_, i) => value(i >> 1, i & 1)))]).toEqual(
      tile.data instanceof Uint16Array ? [...tile.data] : [],
    );
  });

  test("orientations", async () => {
    const image = await imageAt(at.resolve("oriented"));
    expect(image.axes.map(({ orientation }) => orientation)).toEqual([
      "inferior-to-superior",
      "anterior-to-posterior",
      "right-to-left",
    ]);
    expect(await sumOf(image)).toBe(fixture.expected.sums.oriented);
  });

  test("displacements, as scipy interpolates them", async () => {
    const image = await imageAt(at.resolve("oriented"));
    const [transformation] = image.transformations;
    if (transformation === undefined) throw new Error("expected a transformation");
    expect(transformation).toMatchObject({
      transformation: undefined,
      problem: undefined,
      steps: [{ kind: "displacements", path: "field", interpolation: "linear" }],
    });
    const warp = await openTransformation(image, transformation);
    const warped = await warp.apply(fixture.expected.points);
    for (const [i, point] of warped.entries())
      for (const [d, value] of point.entries())
        expect(value).toBeCloseTo(fixture.expected.warped[i]?.[d] ?? Number.NaN, 10);
    expect(
      await warp.apply([
        [-0.1, 0, 0],
        [6.1, 0, 0],
      ]),
    ).toEqual([
      [Number.NaN, Number.NaN, Number.NaN],
      [Number.NaN, Number.NaN, Number.NaN],
    ]);
    await expect(warp.apply([[1, 2]])).rejects.toMatchObject({ tag: "InvalidArgumentError" });
  });
});

const written = async (shape: readonly number[], options: WriteMultiscaleOptions) => {
  const data = Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => i % 251);
  const group = await writeMultiscale(root(), { data, shape }, options);
  return { group, image: await imageAt(group) };
};

describe("writing 0.9", () => {
  test.each<[string, WriteMultiscaleOptions["axes"]]>([
    ["one axis", [{ name: "depth", type: "space", unit: "meter" }]],
    ["none of space", ["t", { name: "channel", type: "channel" }]],
    ["space before time, two of time", ["x", "y", "t", { name: "lag", type: "time" }]],
    ["no types", [{ name: "u" }, { name: "v" }, { name: "w" }]],
    ["seven axes", [..."abcdefg"].map((name) => ({ name }))],
  ])("%s", async (_, axes) => {
    const { group, image } = await written(
      axes.map(() => 4),
      { axes, version: "0.9", scaleFactors: [2] },
    );
    expect(group.metadata.attributes).toMatchObject({ ome: { version: "0.9.dev1" } });
    expect(image).toMatchObject({ version: "0.9", warnings: [] });
    expect(image.axes.map(({ name }) => name)).toEqual(
      axes.map((axis) => (typeof axis === "string" ? axis : axis.name)),
    );
    expect(image.levels[1]?.shape).toEqual(axes.map((_, d) => (d >= axes.length - 2 ? 2 : 4)));
  });

  test("a tile of one axis is a row", async () => {
    const axes = [{ name: "depth" }];
    const { image } = await written([10], { axes, version: "0.9", scaleFactors: [] });
    const tile = await image.tile(0, 1, 0, { size: [4, 1] });
    expect(tile).toMatchObject({ axes: ["depth"], shape: [4], data: Uint8Array.of(4, 5, 6, 7) });
    await expect(image.tile(0, 0, 1, { size: [4, 1] })).rejects.toMatchObject({
      tag: "InvalidArgumentError",
    });
  });

  test("orientations, and the labels of an image have them too", async () => {
    const axes = [
      { name: "z", orientation: "inferior-to-superior" },
      { name: "y", orientation: "anterior-to-posterior" },
      "x",
    ] as const;
    const labels = { cells: { source: { data: new Uint8Array(64), shape: [4, 4, 4] } } };
    const { group, image } = await written([4, 4, 4], { axes, version: "0.9", labels });
    const orientations = ["inferior-to-superior", "anterior-to-posterior", undefined];
    expect(image.axes.map(({ orientation }) => orientation)).toEqual(orientations);
    const cells = await imageAt(group.resolve("labels/cells"));
    expect(cells.version).toBe("0.9");
    expect(cells.axes.map(({ orientation }) => orientation)).toEqual(orientations);
  });

  test("plates", async () => {
    const store = root();
    const data = new Uint8Array(16);
    await writeMultiscale(
      store.resolve("A/1/0"),
      { data, shape: [4, 4] },
      { axes: ["y", "x"], version: "0.9" },
    );
    await writePlate(store, { wells: { "A/1": ["0"] }, version: "0.9" });
    expect(await openOmeZarr(store)).toMatchObject({ kind: "plate", version: "0.9" });
  });

  test.each<[string, WriteMultiscaleOptions]>([
    ["names twice", { axes: ["y", "y"], version: "0.9" }],
    ["no name", { axes: ["y", ""], version: "0.9" }],
    [
      "an axis of the body twice",
      {
        axes: [
          { name: "y", orientation: "left-to-right" },
          { name: "x", orientation: "right-to-left" },
        ],
        version: "0.9",
      },
    ],
    ["an orientation in time", { axes: [{ name: "t", orientation: "left-to-right" }, "x"], version: "0.9" }],
    ["an orientation in 0.6", { axes: [{ name: "y", orientation: "left-to-right" }, "x"], version: "0.6" }],
    ["axes of 0.9 in 0.6", { axes: ["x", "t"], version: "0.6" }],
    ["an axis without a type in 0.5", { axes: [{ name: "u" }, "x"] }],
  ])("is refused: %s", async (_, options) => {
    const store = root();
    const writing = writeMultiscale(store, { data: new Uint8Array(16), shape: [4, 4] }, options);
    await expect(writing).rejects.toMatchObject({ tag: "InvalidArgumentError" });
    expect(store.store.size).toBe(0);
  });
});

test("what is no orientation of RFC-4 is left out", () => {
  const axis = (orientation: JsonObject | string) => ({ name: "x", type: "space", orientation });
  for (const wrong of [
    { type: "nautical", value: "left-to-right" },
    { type: "anatomical", value: "up" },
    "L",
  ]) {
    const multiscales = [{ axes: [axis(wrong)], datasets: [{ path: "0" }] }];
    expect(parseOmeZarr({ ome: { version: "0.5", multiscales } })).toMatchObject({
      axes: [{ name: "x", orientation: undefined }],
    });
  }
});

describe("fields of vectors", () => {
  const system = (name: string, ...axes: string[]) => ({
    name,
    axes: axes.map((axis) => ({ name: axis, type: "space" })),
  });
  const identity = { type: "identity", input: { path: "0" }, output: { name: "physical" } };
  const imageOf = (multiscale: JsonObject) => ({ ome: { version: "0.6rc0", multiscales: [multiscale] } });

  /** An image of y and x with this transformation, whose field has 3 by 3 vectors, 2 apart. */
  async function transformationOf(step: JsonObject, type: string, vectors: readonly (readonly number[])[]) {
    const store = root();
    const multiscale = {
      coordinateSystems: [system("physical", "y", "x"), system("out", ...vectors.map((_, i) => `o${i}`))],
      datasets: [{ path: "0", coordinateTransformations: [identity] }],
      coordinateTransformations: [{ ...step, input: { name: "physical" }, output: { name: "out" } }],
    };
    await create(store, { attributes: imageOf(multiscale) });
    await create(store.resolve("0"), { shape: [4, 4], dtype: "uint8" });
    const field = {
      coordinateSystems: [{ name: "physical", axes: [{ name: "c", type }, { name: "y" }, { name: "x" }] }],
      datasets: [
        { path: "0", coordinateTransformations: [{ ...identity, type: "scale", scale: [1, 2, 2] }] },
      ],
    };
    await create(store.resolve("field"), { attributes: imageOf(field) });
    const shape = [vectors.length, 3, 3];
    const array = await create(store.resolve("field/0"), { shape, dtype: "float64" });
    await set(array, null, { data: Float64Array.from(vectors.flat()), shape });
    const image = await imageAt(store);
    const [transformation] = image.transformations;
    if (transformation === undefined) throw new Error("expected a transformation");
    return { image, transformation };
  }

  const field = (type: string, more: JsonObject = {}) => ({ type, path: "field", ...more });
  const [rows, columns] = [
    [0, 0, 0, 10, 10, 10, 20, 20, 20],
    [0, 1, 2, 0, 1, 2, 0, 1, 2],
  ];

  test.each<[string, JsonObject, string, readonly (readonly number[])[], readonly number[]]>([
    ["displacements", field("displacements"), "displacement", [rows, columns], [1 + 5, 3 + 1.5]],
    ["coordinates", field("coordinates"), "coordinate", [rows, columns], [5, 1.5]],
    ["coordinates of three axes", field("coordinates"), "coordinate", [rows, columns, rows], [5, 1.5, 5]],
    [
      "the nearest vector",
      field("coordinates", { interpolation: "nearest" }),
      "coordinate",
      [rows, columns],
      [10, 2],
    ],
    [
      "steps before and after",
      {
        type: "sequence",
        transformations: [
          { type: "translation", translation: [1, 0] },
          { type: "bijection", forward: field("displacements"), inverse: field("displacements") },
          { type: "scale", scale: [2, 3] },
        ],
      },
      "displacement",
      [rows, columns],
      [2 * (2 + 10), 3 * (3 + 1.5)],
    ],
  ])("%s", async (_, step, type, vectors, expected) => {
    const { image, transformation } = await transformationOf(step, type, vectors);
    const opened = await openTransformation(image, transformation);
    expect(await opened.apply([[1, 3]])).toEqual([expected]);
    // The last vector lies at 4, 4; behind it there are none.
    const last = await opened.apply([[4, 5.01]]);
    expect(last[0]?.every((value) => Number.isNaN(value))).toBe(true);
  });

  test.each<[string, JsonObject, string, readonly (readonly number[])[], RegExp]>([
    [
      "of another type",
      field("displacements"),
      "coordinate",
      [rows, columns],
      /one axis of type displacement/,
    ],
    ["with too few components", field("displacements"), "displacement", [rows], /2 components, got 1/],
    [
      "with too few for the next step",
      {
        type: "sequence",
        transformations: [field("coordinates"), { type: "scale", scale: [1, 1] }],
      },
      "coordinate",
      [rows, columns, rows],
      /expected 3 numbers, got 2|expected 2 coordinates/,
    ],
  ])("a field %s is refused", async (_, step, type, vectors, message) => {
    const { image, transformation } = await transformationOf(step, type, vectors);
    const error = await openTransformation(image, transformation).catch((error: unknown) => error);
    expect(error).toMatchObject({ tag: "InvalidMetadataError" });
    expect(String(error)).toMatch(message);
  });

  test("whatever a transformation says, the image can be parsed, or the error is typed", () => {
    const kinds = [
      "displacements",
      "coordinates",
      "sequence",
      "bijection",
      "scale",
      "identity",
      "byDimension",
    ];
    const { step } = fc.letrec<{ step: JsonObject }>((tie) => ({
      step: fc.record(
        {
          type: fc.oneof(fc.constantFrom(...kinds), fc.constant(1), fc.constant(null)),
          path: fc.constantFrom("field", "../field", "", 3, null),
          interpolation: fc.constantFrom("nearest", "cubic", 3),
          scale: fc.array(fc.constantFrom(0, 1, 2, "2"), { maxLength: 3 }),
          transformations: fc.oneof(
            { maxDepth: 3 },
            fc.constant("none"),
            fc.array(tie("step"), { maxLength: 4 }),
          ),
          forward: fc.oneof({ maxDepth: 3 }, fc.constant(null), tie("step")),
        },
        { requiredKeys: ["type"] },
      ),
    }));
    const multiscale = {
      coordinateSystems: [system("physical", "y", "x")],
      datasets: [{ path: "0", coordinateTransformations: [identity] }],
    };
    fc.assert(
      fc.property(step, (each) => {
        const parsed = parseOmeZarr(
          imageOf({ ...multiscale, coordinateTransformations: [{ ...each, input: { name: "physical" } }] }),
        );
        if (parsed.kind !== "image") throw new Error(parsed.kind);
        for (const { problem, steps } of parsed.transformations)
          expect(problem === undefined ? steps.length > 0 : problem.tag.endsWith("Error")).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("without an image is a NotFoundError", async () => {
    const { image, transformation } = await transformationOf(
      { ...field("displacements"), path: "nowhere" },
      "displacement",
      [rows, columns],
    );
    await expect(openTransformation(image, transformation)).rejects.toMatchObject({ tag: "NotFoundError" });
  });

  test("an affine transformation is applied too", async () => {
    const step = { type: "scale", scale: [2, 3] };
    const { image, transformation } = await transformationOf(step, "displacement", [rows, columns]);
    const opened = await openTransformation(image, transformation);
    expect(
      await opened.apply([
        [1, 3],
        [0.5, 0],
      ]),
    ).toEqual([
      [2, 9],
      [1, 0],
    ]);
  });
});

const ngff = readOracles().ngff;
if (!ngff?.ngff_zarr)
  warnLoudly("No ngff-zarr: what it reads of 0.9 is SKIPPED. scripts/oracles/install.sh installs it.");

test.skipIf(!ngff?.ngff_zarr)(
  "ngff-zarr finds images of 0.9 valid, and reads them",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "wazarr-ngff-zarr-"));
    const space = { type: "space", unit: "micrometer" };
    const oriented: WriteMultiscaleOptions["axes"] = [
      { name: "z", ...space, orientation: "inferior-to-superior" },
      { name: "y", ...space, orientation: "anterior-to-posterior" },
      { name: "x", ...space, orientation: "left-to-right" },
    ];
    const cases: readonly (readonly [shape: readonly number[], WriteMultiscaleOptions])[] = [
      [[4, 4, 4], { axes: oriented, pixelSize: { z: 2, y: 0.5, x: 0.25 } }],
      [[4, 4, 4, 4, 4, 4, 4], { axes: [..."abcdefg"].map((name) => ({ name })) }],
      [[6, 3, 4], { axes: ["x", { name: "wavelength", type: "wavelength" }, "y"] }],
    ];
    try {
      const folders = cases.map((_, i) => join(folder, `${i}.ome.zarr`));
      const images: OmeImage[] = [];
      for (const [i, [shape, options]] of cases.entries()) {
        const data = Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, j) => j % 251);
        const store = new FileSystemStore(folders[i] ?? "");
        const given = { ...options, version: "0.9", scaleFactors: [2] } as const;
        images.push(await imageAt(await writeMultiscale(store, { data, shape }, given)));
      }
      const script = "scripts/oracles/ngff_zarr_oracle.py";
      const output = execFileSync(ngff?.executable ?? "", ["-W", "ignore", script, ...folders], {
        encoding: "utf8",
      });
      const expected = images.map(async (image) => ({
        version: "0.9.dev1",
        dims: image.axes.map(({ name }) => name),
        scale: image.levels[0]?.pixelSize,
        orientations: image.axes.map(({ orientation: value }) =>
          value === undefined ? null : { type: "anatomical", value },
        ),
        shapes: image.levels.map(({ shape }) => shape),
        sums: await Promise.all(image.levels.map((level) => sumOf({ levels: [level] }))),
      }));
      expect(JSON.parse(output)).toEqual(await Promise.all(expected));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  300_000,
);
