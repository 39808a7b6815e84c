/** OME-Zarr metadata of every version, what is tolerated, and errors that name node and member. */
import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { OmeImage, openOmeZarr } from "../../../src/formats/ome-zarr.js";
import { create, get, type Json, open, root, set } from "../../../src/index.js";

const scale = (...factors: number[]) => ({ type: "scale", scale: factors });
const translation = (...offsets: number[]) => ({ type: "translation", translation: offsets });
const yx = [
  { name: "y", type: "space", unit: "micrometer" },
  { name: "x", type: "space", unit: "micrometer" },
];

/** A group with these attributes and arrays of these shapes, named 0, 1, 2, ... */
async function write(attributes: object, shapes: readonly (readonly number[])[], zarrFormat: 2 | 3 = 2) {
  const at = root();
  await create(at, { attributes: { ...attributes }, zarrFormat });
  for (const [i, shape] of shapes.entries()) {
    const array = await create(at.resolve(String(i)), { shape, dtype: "uint8", zarrFormat });
    await set(array, null, i + 1);
  }
  return at;
}

async function openWritten(...given: Parameters<typeof write>) {
  const node = await openOmeZarr(await write(...given));
  if (node instanceof OmeImage) return node;
  throw new Error(`found ${node.kind}`);
}

const datasets = (...transformations: (readonly Json[] | undefined)[]) =>
  transformations.map((list, i) => ({ path: String(i), ...(list && { coordinateTransformations: list }) }));

describe("versions", () => {
  test.each(["0.1", "0.2"])("%s: five axes, and scales as the shapes say", async (version) => {
    const multiscales = [{ version, name: "cells", datasets: datasets(undefined, undefined) }];
    const image = await openWritten({ multiscales }, [
      [1, 2, 3, 8, 10],
      [1, 2, 3, 4, 5],
    ]);
    expect(image).toMatchObject({ version, name: "cells", warnings: [] });
    expect(image.axes.map(({ name, type }) => `${name} ${type}`)).toEqual([
      "t time",
      "c channel",
      "z space",
      "y space",
      "x space",
    ]);
    expect(image.levels[1]?.toPhysical([0, 1, 2, 3, 4])).toEqual([0, 1, 2, 6, 8]);
  });

  test("0.3: names of axes", async () => {
    const multiscales = [{ version: "0.3", axes: ["z", "y", "x"], datasets: datasets(undefined) }];
    const image = await openWritten({ multiscales }, [[3, 4, 5]]);
    expect(image.axes).toMatchObject([{ name: "z", type: "space" }, { name: "y" }, { name: "x" }]);
    expect(image.warnings).toEqual([]);
  });

  test.each([
    ["0.4", 2],
    ["0.5", 3],
  ] as const)("%s: transformations of a level, then those of the whole", async (version, zarrFormat) => {
    const multiscale = {
      axes: yx,
      datasets: datasets([scale(1, 1)], [scale(2, 2), translation(0.5, 0.25)]),
      coordinateTransformations: [scale(0.1, 10), translation(100, 0)],
    };
    const attributes =
      version === "0.4"
        ? { multiscales: [{ version, ...multiscale }] }
        : { ome: { version, multiscales: [multiscale] } };
    const image = await openWritten(
      attributes,
      [
        [8, 8],
        [4, 4],
      ],
      zarrFormat,
    );
    const [, level] = image.levels;
    expect(level?.toPhysical([3, 1])).toEqual(
      [(3 * 2 + 0.5) * 0.1 + 100, 22.5].map((v) => expect.closeTo(v, 12)),
    );
    expect(level?.toIndex([100.65, 22.5])).toEqual([expect.closeTo(3, 10), expect.closeTo(1, 10)]);
    expect(level?.pixelSize).toEqual([0.2, 20]);
    expect(image.warnings).toEqual([]);
  });

  test.each(["0.6", "0.6rc0", "0.6.dev4", "0.6dev1"])(
    "%s: coordinate systems, sequences, affine maps",
    async (version) => {
      const output = { name: "intrinsic" };
      const multiscales = [
        {
          coordinateSystems: [
            { name: "physical", axes: [{ name: "a" }, { name: "b" }] },
            { name: "intrinsic", axes: yx },
          ],
          datasets: datasets(
            [{ ...scale(0.5, 0.5), input: { path: "0" }, output }],
            [
              {
                type: "sequence",
                transformations: [scale(1, 1), translation(0.25, 0.25)],
                input: { path: "1" },
                output,
              },
            ],
          ),
          coordinateTransformations: [
            { ...scale(10, 10), input: { name: "intrinsic" }, output: { name: "physical" } },
          ],
        },
      ];
      const image = await openWritten(
        { ome: { version, multiscales } },
        [
          [8, 8],
          [4, 4],
        ],
        3,
      );
      expect(image.version).toBe("0.6");
      expect(image.axes).toEqual(yx);
      expect(image.levels[1]?.toPhysical([1, 2])).toEqual([1.25, 2.25]);
    },
  );

  test.each([
    [
      "affine",
      {
        type: "affine",
        affine: [
          [1, 2, 3],
          [4, 5, 6],
        ],
      },
      [8, 20],
    ],
    [
      "rotation",
      {
        type: "rotation",
        rotation: [
          [0, -1],
          [1, 0],
        ],
      },
      [-2, 1],
    ],
    ["mapAxis", { type: "mapAxis", mapAxis: [1, 0] }, [2, 1]],
    ["identity", { type: "identity" }, [1, 2]],
    ["bijection", { type: "bijection", forward: scale(2, 3), inverse: scale(0.5, 1 / 3) }, [2, 6]],
  ] as const)("%s there and back", async (_, transformation, expected) => {
    const multiscales = [{ axes: yx, datasets: datasets([transformation]) }];
    const image = await openWritten({ ome: { version: "0.6", multiscales } }, [[4, 4]], 3);
    const [level] = image.levels;
    expect(level?.toPhysical([1, 2])).toEqual(expected);
    expect(level?.toIndex(expected)).toEqual([expect.closeTo(1, 10), expect.closeTo(2, 10)]);
  });

  test("a version to come is unsupported", async () => {
    const at = await write(
      { ome: { version: "0.7", multiscales: [{ axes: yx, datasets: datasets([scale(1, 1)]) }] } },
      [[1, 1]],
      3,
    );
    await expect(openOmeZarr(at)).rejects.toMatchObject({
      tag: "UnsupportedError",
      member: "ome.version",
      path: "/",
    });
  });

  test("a collection as bioformats2raw writes it", async () => {
    const at = await write({ "bioformats2raw.layout": 3 }, []);
    for (const name of ["0", "1"]) {
      const multiscales = [{ version: "0.4", axes: yx, datasets: datasets([scale(1, 1)]) }];
      await create(at.resolve(name), { attributes: { multiscales }, zarrFormat: 2 });
      await create(at.resolve(`${name}/0`), { shape: [2, 2], dtype: "uint8", zarrFormat: 2 });
    }
    const node = await openOmeZarr(at);
    if (node.kind !== "collection") throw new Error(`found ${node.kind}`);
    expect(node.names).toEqual(["0", "1"]);
    expect((await node.image("1")).levels).toHaveLength(1);
  });
});

test("coordinates of any index and back, for random scales and translations", async () => {
  const factor = fc.double({ min: 1e-3, max: 1e3, noNaN: true });
  const number = fc.double({ min: -1e3, max: 1e3, noNaN: true });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(factor, factor),
      fc.tuple(number, number),
      fc.tuple(factor, factor),
      fc.tuple(number, number),
      async (s, t, whole, index) => {
        const list = [scale(...s), translation(...t)];
        const multiscales = [
          {
            version: "0.4",
            axes: yx,
            datasets: datasets(list),
            coordinateTransformations: [scale(...whole)],
          },
        ];
        const [level] = (await openWritten({ multiscales }, [[4, 4]])).levels;
        const there = level?.toPhysical(index) ?? [];
        for (const d of [0, 1] as const) {
          expect(there[d]).toBeCloseTo((index[d] * s[d] + t[d]) * whole[d], 4);
          expect(level?.toIndex(there)[d]).toBeCloseTo(index[d], 4);
        }
      },
    ),
    { numRuns: 30 },
  );
});

describe("levels by the size of a pixel", async () => {
  const multiscales = [
    { version: "0.4", axes: yx, datasets: datasets([scale(0.1, 0.1)], [scale(0.2, 0.2)], [scale(0.4, 0.8)]) },
  ];
  const image = await openWritten({ multiscales }, [
    [8, 8],
    [4, 4],
    [2, 1],
  ]);
  test.each([
    [0.01, 0],
    [0.1, 0],
    [0.15, 0],
    [0.1 + 0.1, 1],
    [0.5, 1],
    [0.8, 2],
    [100, 2],
    [{ y: 0.5 }, 2],
  ])("%o: level %i", (pixelSize, index) => {
    expect(image.levelFor({ pixelSize }).index).toBe(index);
  });
  test("an error for what is no size and no axis", () => {
    for (const pixelSize of [0, -1, Number.NaN, {}, { q: 1 }])
      expect(() => image.levelFor({ pixelSize })).toThrow(
        expect.objectContaining({ tag: "InvalidArgumentError" }),
      );
  });
});

describe("tolerated", () => {
  test("metadata without version, axes, transformations", async () => {
    const image = await openWritten({ multiscales: [{ datasets: datasets(undefined, undefined) }] }, [
      [4, 4],
      [2, 2],
    ]);
    expect(image.axes.map(({ name }) => name)).toEqual(["y", "x"]);
    expect(image.levels[1]?.pixelSize).toEqual([2, 2]);
    expect(image.warnings).toHaveLength(4);
  });

  test("omero that is wrong; colours with #, in small letters, with alpha", async () => {
    const multiscales = [{ version: "0.4", axes: yx, datasets: datasets([scale(1, 1)]) }];
    const colours = ["#ff0000", "00ff00ff", "0000FF"];
    const right = await openWritten(
      { multiscales, omero: { channels: colours.map((color) => ({ color })) } },
      [[1, 1]],
    );
    expect(right.rendering?.channels.map(({ color }) => color)).toEqual(["FF0000", "00FF00", "0000FF"]);
    const wrong = await openWritten({ multiscales, omero: { channels: [{ color: "red" }] } }, [[1, 1]]);
    expect(wrong.rendering).toBeUndefined();
    expect(wrong.warnings[0]).toContain("omero.channels[0].color");
  });

  test("a version that is a number, units and types of axes that nobody knows", async () => {
    const axes = [
      { name: "y", unit: "furlong" },
      { name: "q", type: "phase" },
    ];
    const image = await openWritten(
      { multiscales: [{ version: 0.4, axes, datasets: datasets([scale(1, 1)]) }] },
      [[1, 1]],
    );
    expect(image.version).toBe("0.4");
    expect(image.axes).toEqual([
      { name: "y", type: "space", unit: "furlong" },
      { name: "q", type: "phase", unit: undefined },
    ]);
  });

  test("axes that may not be written: two of time, space before them, names of what every object has", async () => {
    const axes = ["x", { name: "t" }, { name: "u", type: "time" }, { name: "constructor" }];
    const image = await openWritten(
      { multiscales: [{ version: "0.4", axes, datasets: datasets([scale(1, 1, 1, 1)]) }] },
      [[1, 1, 1, 1]],
    );
    expect(image.axes.map(({ type }) => type)).toEqual(["space", "time", "time", undefined]);
  });
});

describe("errors name node and member, and arrays can be read all the same", () => {
  const one = (...list: Json[]) => [{ version: "0.4", axes: yx, datasets: datasets([scale(1, 1)], list) }];
  test.each<[string, object, string, string]>([
    [
      "a scale of another rank",
      { multiscales: one(scale(1, 1, 1)) },
      "multiscales[0].datasets[1].coordinateTransformations[0].scale",
      "expected 2 numbers, got 3",
    ],
    [
      "a scale of zero",
      { multiscales: one(scale(1, 0)) },
      "multiscales[0].datasets[1].coordinateTransformations[0].scale[1]",
      "expected a number other than 0",
    ],
    [
      "a translation of text",
      { multiscales: one({ type: "translation", translation: [1, "2"] }) },
      "multiscales[0].datasets[1].coordinateTransformations[0].translation[1]",
      "finite number",
    ],
    [
      "a type nobody knows",
      { multiscales: one({ type: "warp" }) },
      "multiscales[0].datasets[1].coordinateTransformations[0].type",
      "a type of transformation",
    ],
    [
      "no datasets",
      { multiscales: [{ version: "0.4", axes: yx }] },
      "multiscales[0].datasets",
      "expected a list",
    ],
    [
      "empty datasets",
      { multiscales: [{ version: "0.4", axes: yx, datasets: [] }] },
      "multiscales[0].datasets",
      "at least one",
    ],
    ["no multiscales", { multiscales: [] }, "multiscales", "at least one"],
    [
      "a path that leaves the group",
      { multiscales: [{ axes: yx, datasets: [{ path: "../0" }] }] },
      "multiscales[0].datasets[0].path",
      "below the group",
    ],
    [
      "axes of one name",
      { multiscales: [{ axes: ["x", "x"], datasets: datasets([scale(1, 1)]) }] },
      "multiscales[0].axes[1]",
      "whose name differs",
    ],
    [
      "an axis without a name",
      { multiscales: [{ axes: [{}, {}], datasets: datasets([scale(1, 1)]) }] },
      "multiscales[0].axes[0].name",
      "a string",
    ],
    [
      "too many axes",
      { multiscales: [{ axes: ["z", "y", "x"], datasets: datasets([scale(1, 1, 1)]) }] },
      "multiscales[0].datasets[0].path",
      "expected an array of 3 dimensions",
    ],
    [
      "a system that is not there",
      {
        ome: {
          version: "0.6",
          multiscales: [{ coordinateSystems: [], datasets: datasets([{ ...scale(1, 1), output: "a" }]) }],
        },
      },
      "ome.multiscales[0].coordinateSystems",
      "expected a coordinate system",
    ],
    [
      "a colour out of range",
      {
        multiscales: one(scale(1, 1)),
        "image-label": { colors: [{ "label-value": 1, rgba: [1, 2, 3, 256] }] },
      },
      "image-label.colors[0].rgba",
      "0 to 255",
    ],
    [
      "a well off the plate",
      { plate: { rows: [{ name: "A" }], columns: [{ name: "1" }], wells: [{ path: "B/1" }] } },
      "plate.wells[0].path",
      "row",
    ],
    ["a well without images", { well: {} }, "well.images", "a list"],
  ])("%s", async (_, attributes, member, message) => {
    const at = await write(attributes, [
      [2, 2],
      [1, 1],
    ]);
    const error = await openOmeZarr(at).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ tag: "InvalidMetadataError", path: "/", member });
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
    const array = await open(at.resolve("0"), { kind: "array" });
    expect((await get(array)).data).toEqual(Uint8Array.of(1, 1, 1, 1));
  });

  test("arrays and groups that are not there", async () => {
    const at = await write({ multiscales: one(scale(1, 1)) }, [[2, 2]]);
    await expect(openOmeZarr(at)).rejects.toMatchObject({
      tag: "NotFoundError",
      path: "/",
      member: "multiscales[0].datasets[1].path",
      message: expect.stringContaining('no array at "/1"'),
    });
    const labels = await openOmeZarr(await write({ labels: ["a"] }, []));
    if (labels.kind !== "labels") throw new Error(labels.kind);
    await expect(labels.image("a")).rejects.toMatchObject({ tag: "NotFoundError", path: "/" });
    const plain = await write({ title: "no image" }, []);
    await expect(openOmeZarr(plain)).rejects.toMatchObject({ tag: "InvalidMetadataError", path: "/" });
  });

  test("sequences in sequences end", async () => {
    let deep: Json = scale(1, 1);
    for (let i = 0; i < 100; i++) deep = { type: "sequence", transformations: [deep] };
    await expect(
      openOmeZarr(
        await write({ multiscales: one(deep) }, [
          [2, 2],
          [1, 1],
        ]),
      ),
    ).rejects.toMatchObject({
      tag: "InvalidMetadataError",
    });
  });

  test("attributes of any JSON give a node or a typed error", async () => {
    const leaf = fc.oneof(
      fc.constantFrom<Json>(null, true, 0, -1, "0", "x", "scale", "0.4", [1, 1], {}),
      fc.integer(),
    );
    const part = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { depthSize: "small" },
        leaf,
        fc.array(tie("json"), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom(
            "datasets",
            "axes",
            "path",
            "name",
            "type",
            "scale",
            "version",
            "coordinateTransformations",
            "coordinateSystems",
            "channels",
            "color",
            "colors",
            "rows",
            "wells",
            "images",
            "output",
          ),
          tie("json"),
          { maxKeys: 4 },
        ),
      ),
    })).json;
    const attributes = fc.dictionary(
      fc.constantFrom("multiscales", "ome", "omero", "plate", "well", "labels", "image-label"),
      part,
      { maxKeys: 3 },
    );
    await fc.assert(
      fc.asyncProperty(attributes, async (json) => {
        const result = await openOmeZarr(await write(json, [[2, 2]])).catch((error: unknown) => error);
        expect(result).toSatisfy((value: object) => "kind" in value || "tag" in value);
      }),
      { numRuns: 150 },
    );
  });
});

describe("tiles", async () => {
  const multiscales = [{ version: "0.4", axes: ["c", ...yx], datasets: datasets([scale(1, 1, 1)]) }];
  const image = await openWritten({ multiscales }, [[2, 5, 7]]);
  test("at the edge they are smaller", async () => {
    expect(await image.tile(0, 1, 1, { size: 4 })).toMatchObject({
      shape: [2, 1, 3],
      origin: [4, 4],
      axes: ["c", "y", "x"],
    });
  });
  test("ready to draw they are converted", async () => {
    const plain = await image.tile(0, 1, 0, { size: 4, at: { c: 1 } });
    const options = { size: 4, at: { c: 1 }, as: "float32", offset: 0.5, statistics: true } as const;
    const tile = await image.tile(0, 1, 0, options);
    expectTypeOf(tile.data).toEqualTypeOf<Float32Array>();
    expect(tile).toMatchObject({ shape: plain.shape, origin: plain.origin, axes: plain.axes });
    expect([...tile.data]).toEqual(Array.from(plain.data as Iterable<number>, (value) => value + 0.5));
    expect(tile.statistics.count).toBe(12);
    await expect(image.tile(0, 0, 0, { as: "uint8", at: { c: [0, 1] } })).rejects.toThrow(
      "at: expected an index, a slice or null for a tile with `as`, got a list",
    );
  });
  test.each([
    [() => image.tile(0, 2, 0, { size: 4 })],
    [() => image.tile(0, -1, 0, { size: 4 })],
    [() => image.tile(0, 0.5, 0, { size: 4 })],
    [() => image.tile(0, 0, 0, { size: 0 })],
    [() => image.tile(0, 0, 0, { at: { x: 0 } })],
    [() => image.tile(0, 0, 0, { at: { t: 0 } })],
    [() => image.tile(0, 0, 0, { at: { c: "GFP" } })],
  ])("errors of the caller %#", async (read) => {
    await expect(read()).rejects.toMatchObject({ tag: "InvalidArgumentError" });
  });
  test("abort, and a level that is not there", async () => {
    const signal = AbortSignal.abort(new Error("away"));
    await expect(image.tile(0, 0, 0, { signal })).rejects.toThrow("away");
    await expect(image.tile(1, 0, 0)).rejects.toMatchObject({ tag: "NotFoundError" });
  });
});
