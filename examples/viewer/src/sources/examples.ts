/** Data sets that are made in the page, with the library itself: nothing has to be served for them. */
import { create, MemoryStore, root, type Store, set } from "wazarr";
import cellsPicture from "./cells.webp";
import waves from "./waves.webp";

export interface Example {
  readonly title: string;
  readonly about: string;
  /** Address of its picture. */
  readonly picture: string;
  /** The array or image to show first. */
  readonly path: string;
  readonly make: () => Promise<Store>;
}

export const EXAMPLES: readonly Example[] = [
  {
    title: "Waves",
    about: "A map over time: 24 hours, 181 latitudes, 360 longitudes",
    picture: waves,
    path: "/height",
    make: makeWaves,
  },
  {
    title: "Cells",
    about: "An OME-Zarr image of three channels and three levels",
    picture: cellsPicture,
    path: "/",
    make: makeCells,
  },
];

async function makeWaves(): Promise<Store> {
  const store = new MemoryStore();
  const [times, rows, columns] = [24, 181, 360];
  await create(store);
  const coordinate = async (
    name: string,
    length: number,
    value: (i: number) => number,
    units: string,
  ): Promise<void> => {
    const array = await create(root(store).resolve(name), {
      shape: [length],
      dtype: "float64",
      chunkShape: [length],
      dimensionNames: [name],
      attributes: { units },
    });
    await set(array, null, {
      data: Float64Array.from({ length }, (_, i) => value(i)),
      shape: [length],
    });
  };
  await coordinate("time", times, (i) => i, "hours since 2026-08-01");
  await coordinate("lat", rows, (i) => i - 90, "degrees_north");
  await coordinate("lon", columns, (i) => i - 180, "degrees_east");
  const height = await create(root(store).resolve("height"), {
    shape: [times, rows, columns],
    dtype: "float32",
    chunkShape: [1, 91, 180],
    dimensionNames: ["time", "lat", "lon"],
    attributes: { units: "m", long_name: "wave height" },
  });
  const data = new Float32Array(times * rows * columns);
  let at = 0;
  for (let t = 0; t < times; t++)
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++) {
        const [lat, lon] = [((i - 90) * Math.PI) / 180, (j * Math.PI) / 180];
        const land = Math.sin(3 * lon) * Math.cos(2 * lat) + Math.sin(5 * lat + lon) > 1.35;
        data[at++] = land
          ? Number.NaN
          : Math.cos(lat) *
            (Math.sin(4 * lon - t / 3) +
              0.5 * Math.cos(6 * lat + t / 4) +
              0.3 * Math.sin(11 * lon + 3 * lat));
      }
  await set(height, null, { data, shape: [times, rows, columns] });
  return store;
}

async function makeCells(): Promise<Store> {
  const store = new MemoryStore();
  const [channels, size] = [3, 1024];
  const names = ["nuclei", "membranes", "vesicles"];
  const colours = ["3a7bff", "44d62c", "ff4fa3"];
  await create(store, {
    attributes: {
      ome: {
        version: "0.5",
        multiscales: [
          {
            name: "cells",
            axes: [
              { name: "c", type: "channel" },
              { name: "y", type: "space", unit: "micrometer" },
              { name: "x", type: "space", unit: "micrometer" },
            ],
            datasets: [0, 1, 2].map((level) => ({
              path: String(level),
              coordinateTransformations: [
                { type: "scale", scale: [1, 0.25 * 2 ** level, 0.25 * 2 ** level] },
              ],
            })),
          },
        ],
        omero: {
          channels: names.map((label, c) => ({
            label,
            color: colours[c] ?? "ffffff",
            active: true,
            window: { start: 0, end: 4000, min: 0, max: 65535 },
          })),
        },
      },
    },
  });
  let finer: Uint16Array | undefined;
  for (const level of [0, 1, 2]) {
    const length = size >> level;
    const data: Uint16Array = finer ? halved(finer, channels, 2 * length) : cells(channels, size);
    finer = data;
    const array = await create(root(store).resolve(String(level)), {
      shape: [channels, length, length],
      dtype: "uint16",
      chunkShape: [1, 256, 256],
      dimensionNames: ["c", "y", "x"],
    });
    await set(array, null, { data, shape: [channels, length, length] });
  }
  return store;
}

/** Every cell has a nucleus, a rim and some spots. */
function cells(channels: number, size: number): Uint16Array {
  const data = new Uint16Array(channels * size * size);
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const put = (c: number, x: number, y: number, value: number): void => {
    if (x < 0 || y < 0 || x >= size || y >= size) return;
    const at = (c * size + y) * size + x;
    data[at] = Math.min(65535, (data[at] ?? 0) + value);
  };
  for (let n = 0; n < 160; n++) {
    const [cx, cy, radius] = [random() * size, random() * size, 18 + 22 * random()];
    for (let y = -radius; y <= radius; y++)
      for (let x = -radius; x <= radius; x++) {
        const distance = Math.hypot(x, y) / radius;
        const [px, py] = [Math.round(cx + x), Math.round(cy + y)];
        if (distance < 0.45) put(0, px, py, Math.round(2600 * (1 - distance)));
        if (distance > 0.9 && distance < 1) put(1, px, py, 2400);
      }
    for (let spot = 0; spot < 12; spot++) {
      const [angle, distance] = [random() * 7, radius * (0.5 + 0.4 * random())];
      const [sx, sy] = [
        Math.round(cx + Math.cos(angle) * distance),
        Math.round(cy + Math.sin(angle) * distance),
      ];
      for (let y = -2; y <= 2; y++)
        for (let x = -2; x <= 2; x++) if (x * x + y * y < 6) put(2, sx + x, sy + y, 3000);
    }
  }
  return data.map((value) => value + Math.floor(random() * 120));
}

/** The mean of each two by two. @param size of the finer level */
function halved(finer: Uint16Array, channels: number, size: number): Uint16Array {
  const half = size / 2;
  const at = (c: number, y: number, x: number): number => finer[(c * size + y) * size + x] ?? 0;
  return Uint16Array.from({ length: channels * half * half }, (_, i) => {
    const [c, y, x] = [Math.floor(i / (half * half)), 2 * (Math.floor(i / half) % half), 2 * (i % half)];
    return (at(c, y, x) + at(c, y, x + 1) + at(c, y + 1, x) + at(c, y + 1, x + 1)) / 4;
  });
}
