/**
 * `writeMultiscale`: down-sampling against a naive reference, what is written, and its readers: ome-zarr-py,
 * ome-zarr-models, xarray.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { FileSystemStore } from "../../../src/core/stores/files/file-system.js";
import { loadDownsampling } from "../../../src/formats/elements/downsample.js";
import {
  type MultiscaleProgress,
  OmeImage,
  openOmeZarr,
  writeMultiscale,
} from "../../../src/formats/ome-zarr.js";
import { create, get, root, set } from "../../../src/index.js";
import { readOracles, warnLoudly } from "../../setup/oracles.js";

const downsample = await loadDownsampling();
const product = (lengths: readonly number[]) => lengths.reduce((a, b) => a * b, 1);

/** The values of each block, by index arithmetic alone. */
function blocks(data: ArrayLike<number>, shape: readonly number[], factors: readonly number[]): number[][] {
  const smaller = shape.map((length, d) => Math.ceil(length / (factors[d] ?? 1)));
  const found = Array.from({ length: product(smaller) }, (): number[] => []);
  for (let i = 0; i < data.length; i++) {
    let rest = i;
    let at = 0;
    for (let d = shape.length - 1, stride = 1; d >= 0; d--) {
      at += Math.floor((rest % (shape[d] ?? 1)) / (factors[d] ?? 1)) * stride;
      stride *= smaller[d] ?? 1;
      rest = Math.floor(rest / (shape[d] ?? 1));
    }
    found[at]?.push(data[i] ?? 0);
  }
  return found;
}

/** As numpy.rint rounds. */
function rint(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}

const mode = (values: readonly number[]) => {
  const count = (value: number) => values.filter((each) => each === value).length;
  return [...values].sort((a, b) => count(b) - count(a) || a - b)[0];
};

test("down-sampling is what a naive reference gives, in one to four dimensions, edges included", () => {
  const dimension = fc.tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 4 }));
  fc.assert(
    fc.property(
      fc.array(dimension, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.integer({ min: -9, max: 9 })),
      (dimensions, numbers) => {
        const shape = dimensions.map(([length]) => length);
        const factors = dimensions.map(([, factor]) => factor);
        const data = Int16Array.from({ length: product(shape) }, () => numbers.next().value ?? 0);
        const parts = blocks(data, shape, factors);
        const means = parts.map((values) => values.reduce((a, b) => a + b, 0) / values.length);
        const big = BigInt64Array.from(data, BigInt);
        expect([...downsample(data, shape, factors, "mean")]).toEqual(means.map((mean) => rint(mean) + 0));
        expect([...downsample(big, shape, factors, "mean")]).toEqual(means.map((mean) => BigInt(rint(mean))));
        expect([...downsample(Float64Array.from(data), shape, factors, "mean")]).toEqual(means);
        expect([...downsample(data, shape, factors, "mode")]).toEqual(parts.map(mode));
        expect([...downsample(data, shape, factors, "nearest")]).toEqual(parts.map(([first]) => first));
        expect([...downsample(big, shape, factors, "mode")]).toEqual(
          parts.map((values) => BigInt(mode(values) ?? 0)),
        );
      },
    ),
    { numRuns: 30 },
  );
});

const image = (shape: readonly number[]) => ({
  data: Uint16Array.from({ length: product(shape) }, (_, i) => (i * 7919) % 1000),
  shape,
});

async function openWritten(location: Parameters<typeof openOmeZarr>[0]): Promise<OmeImage> {
  const node = await openOmeZarr(location);
  if (node instanceof OmeImage) return node;
  throw new Error(`found ${node.kind}`);
}

describe("writeMultiscale", () => {
  test("boxes of an array give the levels that the whole gives", async () => {
    const given = image([2, 37, 53]);
    const at = root();
    const source = await create(at.resolve("source"), {
      shape: given.shape,
      dtype: "uint16",
      chunkShape: [1, 8, 16],
    });
    await set(source, null, given);
    const told: MultiscaleProgress[] = [];
    await writeMultiscale(at.resolve("image"), source, {
      axes: ["c", { name: "y", unit: "micrometer" }, { name: "x", unit: "micrometer" }],
      scaleFactors: [2, { y: 6, x: 4 }],
      pixelSize: { y: 0.5, x: 0.25 },
      chunkShape: [1, 4, 5],
      onProgress: (progress) => told.push(progress),
      name: "cells",
    });
    const written = await openWritten(at.resolve("image"));
    expect(written).toMatchObject({ version: "0.5", name: "cells", warnings: [] });
    expect(written.levels.map(({ shape }) => shape)).toEqual([
      [2, 37, 53],
      [2, 19, 27],
      [2, 7, 14],
    ]);
    expect(written.levels[2]?.toPhysical([1, 0, 0])).toEqual([1, 1.25, 0.375]);
    const [, first, second] = await Promise.all(
      written.levels.map(async ({ array }) => (await get(array)).data),
    );
    const half = downsample(given.data, given.shape, [1, 2, 2], "mean");
    expect(first).toEqual(half);
    expect(second).toEqual(downsample(half, [2, 19, 27], [1, 3, 2], "mean"));
    expect(told.at(-1)).toMatchObject({ level: 2, levels: 3, elementsDone: told.at(-1)?.elementsTotal });
  });

  test("shards, and many boxes", async () => {
    const given = image([3, 700, 800]);
    const at = root();
    await writeMultiscale(at, given, {
      axes: ["z", "y", "x"],
      scaleFactors: [{ z: 2, y: 2, x: 2 }],
      chunkShape: [1, 64, 64],
      shards: [1, 256, 256],
      method: "nearest",
    });
    const [whole, half] = (await openWritten(at)).levels;
    expect(half?.array.shards).toEqual([1, 256, 256]);
    const bytes = async (level: typeof half) => {
      const data = level && (await get(level.array)).data;
      return data instanceof Uint16Array
        ? Buffer.from(data.buffer, data.byteOffset, data.byteLength)
        : undefined;
    };
    const expected = downsample(given.data, given.shape, [2, 2, 2], "nearest");
    expect((await bytes(whole))?.equals(Buffer.from(given.data.buffer))).toBe(true);
    expect((await bytes(half))?.equals(Buffer.from(expected.buffer))).toBe(true);
  });

  test("the pixels of a canvas are elements of uint8, and progress counts elements", async () => {
    const data = Uint8ClampedArray.from({ length: 40 * 30 }, (_, i) => i % 256);
    const told: MultiscaleProgress[] = [];
    const onProgress = (progress: MultiscaleProgress) => void told.push(progress);
    const at = root();
    await writeMultiscale(
      at,
      { data, shape: [40, 30] },
      { axes: ["y", "x"], chunkShape: [16, 16], onProgress },
    );
    const { levels } = await openWritten(at);
    expect(levels[0]?.array.dtype).toBe("uint8");
    expect(levels[0] && (await get(levels[0].array)).data).toEqual(Uint8Array.from(data));
    const total = 40 * 30 + 20 * 15 + 10 * 8;
    expect(told.every(({ elementsTotal }) => elementsTotal === total)).toBe(true);
    const done = told.map(({ elementsDone }) => elementsDone);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(done.filter((each) => each === 1200 || each === 1500).length).toBeGreaterThan(1);
    expect(done.at(-1)).toBe(total);
  });

  test("what was not finished is no image", async () => {
    const at = root();
    const abort = new AbortController();
    const written = writeMultiscale(at, image([64, 64]), {
      axes: ["y", "x"],
      signal: abort.signal,
      onProgress: () => abort.abort(new Error("enough")),
    });
    await expect(written).rejects.toThrow("enough");
    await expect(openOmeZarr(at)).rejects.toMatchObject({ tag: "InvalidMetadataError" });
    await expect(writeMultiscale(at, image([64, 64]), { axes: ["y", "x"] })).rejects.toMatchObject({
      tag: "AlreadyExistsError",
    });
    await writeMultiscale(at, image([64, 64]), { axes: ["y", "x"], overwrite: true });
    expect((await openWritten(at)).levels).toHaveLength(3);
  });

  test.each([
    [{ axes: ["x"] }],
    [{ axes: ["x", "t"] }],
    [{ axes: ["y", "y"] }],
    [{ axes: ["q", "x"] }],
    [{ axes: ["constructor", "x"] }],
    [{ axes: ["y", "x"], scaleFactors: [0] }],
    [{ axes: ["y", "x"], scaleFactors: [2, 3] }],
    [{ axes: ["y", "x"], scaleFactors: [{ z: 2 }] }],
    [{ axes: ["y", "x"], pixelSize: { x: 0 } }],
    [{ axes: ["y", "x"], pixelSize: { t: 1 } }],
  ])("options that are wrong: %j", async (options) => {
    const at = root();
    await expect(writeMultiscale(at, image([4, 4]), options)).rejects.toMatchObject({
      tag: "InvalidArgumentError",
    });
    expect(at.store.size).toBe(0);
  });

  const time = (name: string) => ({ name, type: "time" });
  const other = (name: string) => ({ name, type: "phase" });
  test.each([
    ["two of time", [time("t"), time("u"), "y", "x"], "t (time), u (time), y (space), x (space)"],
    ["two of channel", ["c", { name: "d", type: "channel" }, "y", "x"], "c (channel), d (channel)"],
    ["two of other types", [other("p"), { name: "q", type: "angle" }, "y", "x"], "p (phase), q (angle)"],
    ["channel and another type", ["c", other("p"), "y", "x"], "c (channel), p (phase)"],
    ["channel before time", ["c", "t", "y", "x"], "c (channel), t (time)"],
    ["space before time", ["y", "x", "t"], "y (space), x (space), t (time)"],
    ["space before channel", ["y", "x", "c"], "x (space), c (channel)"],
    ["one of space", ["t", "c", "x"], "t (time), c (channel), x (space)"],
    ["four of space", ["z", "y", "x", { name: "w", type: "space" }], "x (space), w (space)"],
    ["none of space", ["t", "c"], "t (time), c (channel)"],
    ["a name twice", ["z", "y", "y"], "z (space), y (space), y (space)"],
  ])("axes that the specification refuses: %s", async (_, axes, got) => {
    for (const version of ["0.4", "0.5"] as const) {
      const at = root();
      const error = await writeMultiscale(at, image(axes.map(() => 4)), { axes, version }).catch(
        (error: unknown) => error,
      );
      expect(error).toMatchObject({ tag: "InvalidArgumentError" });
      expect(String(error)).toMatch(/axes: expected .*time.*channel.*space.*, got /);
      expect(String(error)).toContain(got);
      expect(at.store.size).toBe(0);
    }
  });

  test.each([
    [["y", "x"]],
    [["z", "y", "x"]],
    [["t", "y", "x"]],
    [["c", "z", "y", "x"]],
    [["t", "c", "z", "y", "x"]],
    [[time("frame"), other("p"), "y", "x"]],
  ])("axes that the specification allows: %j", async (axes) => {
    const at = root();
    await writeMultiscale(at, image(axes.map(() => 4)), { axes, scaleFactors: [2] });
    const { axes: read, warnings } = await openWritten(at);
    expect(read.map(({ name }) => name)).toEqual(
      axes.map((axis) => (typeof axis === "string" ? axis : axis.name)),
    );
    expect(warnings).toEqual([]);
  });

  test("text is not down-sampled", async () => {
    const text = await create(root(), { shape: [2, 2], dtype: "string" });
    await expect(writeMultiscale(root(), text, { axes: ["y", "x"] })).rejects.toMatchObject({
      tag: "UnsupportedError",
    });
  });
});

const python = readOracles().ngff;
if (!python?.ome_zarr)
  warnLoudly("No ome-zarr-py: what it reads is SKIPPED. scripts/oracles/install.sh installs it.");

describe.skipIf(!python?.ome_zarr)("ome-zarr-py, ome-zarr-models and xarray read it", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "wazarr-ome-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("images of 0.4 and 0.5, with shards and without", async () => {
    const given = image([2, 13, 18]);
    const common = { axes: ["c", "y", "x"], pixelSize: { y: 0.5, x: 0.25 }, scaleFactors: [2, 4] };
    const cases = [
      { ...common, version: "0.4", chunkShape: [1, 8, 8] },
      { ...common, version: "0.5", chunkShape: [1, 8, 8], codecs: ["zstd"] },
      { ...common, version: "0.5", chunkShape: [1, 4, 4], shards: [1, 16, 16], method: "mode" },
    ] as const;
    const folders = cases.map((_, i) => join(folder, `${i}.ome.zarr`));
    for (const [i, options] of cases.entries())
      await writeMultiscale(new FileSystemStore(folders[i] ?? ""), given, options);
    const script = "scripts/oracles/ome_zarr_oracle.py";
    const output = execFileSync(python?.executable ?? "", ["-W", "ignore", script, ...folders], {
      encoding: "utf8",
    });
    const answers: readonly {
      readonly levels: readonly (readonly number[])[];
      readonly transformations: readonly (readonly {
        readonly scale?: readonly number[];
        readonly translation?: readonly number[];
      }[])[];
    }[] = JSON.parse(output);
    for (const [i, { version }] of cases.entries()) {
      const written = await openWritten(new FileSystemStore(folders[i] ?? ""));
      const levels = await Promise.all(
        written.levels.map(async ({ array }) => {
          const { data } = await get(array);
          return data instanceof Uint16Array ? [...data] : [];
        }),
      );
      expect(answers[i]).toMatchObject({
        model: "Image",
        version,
        axes: ["c", "y", "x"],
        shapes: written.levels.map(({ shape }) => shape),
        levels,
        xarray: levels.map((values) => ({ dims: ["c", "y", "x"], sum: values.reduce((a, b) => a + b, 0) })),
      });
      for (const [j, steps] of (answers[i]?.transformations ?? []).entries()) {
        const [{ scale = [] } = {}, { translation = [] } = {}] = steps;
        expect(written.levels[j]?.toPhysical([1, 1, 1])).toEqual(
          scale.map((factor, d) => factor + (translation[d] ?? 0)),
        );
      }
    }
  });

  test("images of 0.6 are valid by ome-zarr-models, which has no release candidates", async () => {
    const options = { version: "0.6", axes: ["c", "y", "x"], scaleFactors: [2] } as const;
    const place = join(folder, "0.6.ome.zarr");
    await writeMultiscale(new FileSystemStore(place), image([2, 8, 8]), options);
    const document = join(place, "zarr.json");
    const text = readFileSync(document, "utf8");
    expect(text).toContain('"version": "0.6rc0"');
    writeFileSync(document, text.replace("0.6rc0", "0.6"));
    const script = "scripts/oracles/ome_zarr_models_oracle.py";
    const output = execFileSync(python?.executable ?? "", ["-W", "ignore", script, place], {
      encoding: "utf8",
    });
    const model = { model: "Image", version: "0.6", paths: ["0", "1"], axes: ["c", "y", "x"] };
    expect(JSON.parse(output)).toEqual([model]);
  });
});

test.each(["constructor", "toString", "__proto__"])("an axis may be named %s", async (name) => {
  const source = await create(new Map(), { shape: [2, 4, 4], dtype: "uint8" });
  await set(source, null, 9);
  const axes = [{ name, type: "time" }, "y", "x"] as const;
  const made = await writeMultiscale(new Map(), source, { axes, scaleFactors: [2, { x: 4, y: 2 }] });
  const image = await openOmeZarr(made);
  if (!(image instanceof OmeImage)) throw new Error("expected an image");
  expect(image.levels.map(({ array }) => array.shape)).toEqual([
    [2, 4, 4],
    [2, 2, 2],
    [2, 2, 1],
  ]);
  expect(image.levels.map(({ pixelSize }) => pixelSize)).toEqual([
    [1, 1, 1],
    [1, 2, 2],
    [1, 2, 4],
  ]);
  expect((await image.tile(1, 0, 0)).data).toEqual(Uint8Array.of(9, 9, 9, 9));
});
