/**
 * Reads single elements by coordinates: many across an array, and a few, which other libraries read one by
 * one.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { FileSystemStore as ZarritaFiles } from "@zarrita/storage";
import * as zarrita from "zarrita";
import { FileSystemStore } from "../../src/core/stores/files/file-system.js";
import { create, getCoordinates, open, set, setCoordinates } from "../../src/index.js";
import { fieldOf } from "../fields.js";
import { FOLDER } from "../folder.js";
import { Python, shareCore } from "../peers/python.js";
import { type Care, here, race } from "../race.js";
import { against, milliseconds, type Section } from "../table.js";

const SIDE = 256;
const SHAPE = [SIDE, SIDE, SIDE];
const MANY = 1_000_000;
const FEW = 100;

const blosc = {
  name: "blosc",
  configuration: { cname: "zstd", clevel: 1, shuffle: "shuffle", typesize: 4, blocksize: 0 },
};
const LAYOUTS = [
  { name: "raw", chunkShape: [64, 64, 64], codecs: ["bytes"] },
  { name: "blosc-zstd-shuffle", chunkShape: [64, 64, 64], codecs: ["bytes", blosc] },
  { name: "the same in shards", chunkShape: [32, 32, 32], shards: [128, 128, 128], codecs: ["bytes", blosc] },
] as const;

export async function benchPoints({ effort }: Care): Promise<Section> {
  const tensorstore = Python.start("tensorstore");
  if (tensorstore !== undefined) shareCore();
  const { data } = fieldOf(FOLDER, SHAPE, "float32");
  const rows: string[][] = [];
  for (const { name, ...layout } of LAYOUTS) {
    const path = `${FOLDER}/points-${name}`;
    rmSync(path, { recursive: true, force: true });
    const store = new FileSystemStore(path);
    await set(await create(store, { shape: SHAPE, dtype: "float32", fillValue: 0, ...layout }), null, {
      data,
      shape: SHAPE,
    });
    const array = await open(store, { kind: "array" });
    const theirs = await zarrita.open.v3(new ZarritaFiles(path), { kind: "array" });
    if (!array.is("float32") || !theirs.is("float32"))
      throw new Error(`expected float32, got ${array.dtype}`);
    for (const count of [MANY, FEW]) {
      const points = coordinates(count);
      const ours = here(() => getCoordinates(array, points));
      const peer = tensorstore?.rival({
        kind: "points",
        store: { driver: "file", path },
        coordinates: fileOf(points),
      });
      const one = {
        ...here(() => (count === FEW ? oneByOne(theirs, points) : picked(theirs, points))),
        rounds: 1,
      };
      rows.push([
        name,
        `read ${count.toLocaleString("en")}`,
        ...cells(await race([ours, one, peer], effort)),
      ]);
    }
    const points = coordinates(FEW);
    const ours = here(() => setCoordinates(array, points, 1));
    // zarrita writes no shards.
    const one = "shards" in layout ? undefined : { ...here(() => setOneByOne(theirs, points)), rounds: 1 };
    rows.push([name, `write ${FEW}`, ...cells(await race([ours, one, undefined], effort))]);
  }
  tensorstore?.close();
  return {
    title: "Points",
    text: `The array is float32, ${SHAPE.join(" x ")} in chunks of 64 x 64 x 64 (1 MiB; in the shards, chunks of 32 x 32 x 32). \`getCoordinates\` and \`setCoordinates\` read and write random points, and so does TensorStore's \`vindex\`. zarrita has no such selection. For ${MANY.toLocaleString("en")} points, it reads the whole array, and the benchmark picks the points. It reads and writes ${FEW} points one by one, each with its chunk.`,
    tables: [
      {
        header: [
          "data",
          "points",
          "wazarr ms",
          "zarrita ms",
          "TensorStore ms",
          "against zarrita",
          "against TensorStore",
        ],
        rows,
      },
    ],
  };
}

function cells([wazarr, zarrita, tensorstore]: readonly (readonly number[])[]): string[] {
  const ratios = [against(zarrita, wazarr), against(tensorstore, wazarr)];
  return [...[wazarr, zarrita, tensorstore].map(milliseconds), ...ratios];
}

/** Seeded random coordinates. */
function coordinates(count: number): Int32Array[] {
  let state = 2024;
  return SHAPE.map((length) =>
    Int32Array.from({ length: count }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor((state / 2 ** 32) * length);
    }),
  );
}

/** Coordinates one dimension after the other, as TensorStore needs them. */
function fileOf(points: readonly Int32Array[]): string {
  const file = `${FOLDER}/points-${points[0]?.length}.raw`;
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(file, Buffer.concat(points.map(({ buffer }) => new Uint8Array(buffer))));
  return file;
}

type Theirs = zarrita.Array<"float32", ZarritaFiles>;

async function picked(array: Theirs, points: readonly Int32Array[]): Promise<Float32Array> {
  const { data, stride } = await zarrita.get(array);
  const [a = [], b = [], c = []] = points;
  const [first = 0, second = 0, third = 0] = stride;
  return Float32Array.from(
    a,
    (i, point) => data[i * first + (b[point] ?? 0) * second + (c[point] ?? 0) * third] ?? 0,
  );
}

async function oneByOne(array: Theirs, points: readonly Int32Array[]): Promise<Float32Array> {
  const values = new Float32Array(points[0]?.length ?? 0);
  for (let i = 0; i < values.length; i++) {
    values[i] = Number(
      await zarrita.get(
        array,
        points.map((list) => list[i] ?? 0),
      ),
    );
  }
  return values;
}

async function setOneByOne(array: Theirs, points: readonly Int32Array[]): Promise<void> {
  for (let i = 0; i < (points[0]?.length ?? 0); i++) {
    await zarrita.set(
      array,
      points.map((list) => list[i] ?? 0),
      1,
    );
  }
}
