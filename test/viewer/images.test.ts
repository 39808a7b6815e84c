/** Colours of images: RGB, channels of OME-Zarr, and labels over them. */
import type { Route } from "playwright";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, type Location, MemoryStore, root, set } from "../../src/index.js";
import { openViewer, options, type ViewerPage } from "./viewer-page.js";

const SIDE = 16;
const axes = ["c", "z", "y", "x"].map((name) => ({ name, type: name === "c" ? "channel" : "space" }));
const scaled = (scale: number[]) => [{ path: "0", coordinateTransformations: [{ type: "scale", scale }] }];

async function makeStore(): Promise<MemoryStore> {
  const store = new MemoryStore();
  await create(store);
  const at = (name: string) => root(store).resolve(name);
  const shape = [SIDE, SIDE, 3];
  const photo = await create(at("photo"), {
    shape,
    chunkShape: shape,
    dtype: "uint8",
    dimensionNames: ["y", "x", "rgb"],
  });
  const data = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => [200, 100, 50][i % 3] ?? 0);
  await set(photo, null, { data, shape });
  // Channel 0 is 100 in plane 2 and 0 elsewhere; channel 1 is 40 everywhere.
  await create(at("image"), {
    attributes: {
      ome: {
        version: "0.5",
        multiscales: [{ name: "cells", axes, datasets: scaled([1, 1, 1, 1]) }],
        omero: {
          channels: [
            { label: "red", color: "FF0000", window: { start: 0, end: 100, min: 0, max: 255 } },
            { label: "green", color: "00FF00", window: { start: 0, end: 200, min: 0, max: 255 } },
          ],
          rdefs: { defaultZ: 2 },
        },
      },
    },
  });
  const level = { shape: [2, 4, SIDE, SIDE], chunkShape: [1, 1, SIDE, SIDE], dtype: "uint8" };
  const image = await create(at("image/0"), level);
  await set(image, [0, 2, "..."], 100);
  await set(image, [1, "..."], 40);
  await create(at("image/labels"), { attributes: { ome: { version: "0.5", labels: ["nuclei"] } } });
  await create(at("image/labels/nuclei"), {
    attributes: {
      ome: {
        version: "0.5",
        "image-label": { colors: [{ "label-value": 7, rgba: [0, 0, 255, 255] }] },
        multiscales: [{ name: "nuclei", axes: axes.slice(1), datasets: scaled([1, 2, 2]) }],
      },
    },
  });
  // Of half the resolution: 7 in the left half.
  const labels = await create(at("image/labels/nuclei/0"), {
    shape: [4, 8, 8],
    chunkShape: [1, 8, 8],
    dtype: "uint32",
  });
  await set(labels, [null, null, { start: 0, stop: 4, step: 1 }], 7);
  await writeSeries(at("series"));
  return store;
}

/**
 * An image of two times, two channels and two levels. At the second time both channels are twice as bright,
 * and the coarse level is half as bright as the fine one.
 */
async function writeSeries(place: Location<MemoryStore>): Promise<void> {
  const names = ["t", "c", "y", "x"];
  const types = ["time", "channel", "space", "space"];
  const channel = { window: { start: 0, end: 200, min: 0, max: 255 } };
  await create(place, {
    attributes: {
      ome: {
        version: "0.5",
        multiscales: [
          {
            axes: names.map((name, d) => ({ name, type: types[d] })),
            datasets: [1, 2].map((scale, level) => ({
              path: `${level}`,
              coordinateTransformations: [{ type: "scale", scale: [1, 1, scale, scale] }],
            })),
          },
        ],
        omero: { channels: ["FF0000", "00FF00"].map((color) => ({ ...channel, color })) },
      },
    },
  });
  for (const [level, [side, value]] of [[1024, 100] as const, [512, 50] as const].entries()) {
    const shape = [2, 2, side, side];
    const array = await create(place.resolve(`${level}`), {
      shape,
      chunkShape: [1, 1, 256, 256],
      dtype: "uint8",
    });
    await set(array, [0, "..."], value);
    await set(array, [1, "..."], 2 * value);
  }
}

describe.skipIf(options === undefined)("images", () => {
  let viewer: ViewerPage;
  beforeAll(async () => {
    viewer = await openViewer(await makeStore());
  });
  afterAll(() => viewer?.close());
  const show = (path: string, more = ""): Promise<void> =>
    viewer.show(`#url=/data/&path=/${path}&view=8,8,32${more}`);

  /** Red, green and blue of an element, once they are as expected. */
  async function expectColour(row: number, column: number, expected: readonly number[]): Promise<void> {
    const read = (): Promise<number[]> =>
      viewer.page.evaluate(
        ([y, x]) => {
          const canvas = document.querySelector("#canvas");
          const gl = canvas instanceof HTMLCanvasElement ? canvas.getContext("webgl2") : null;
          if (!gl) throw new Error("no WebGL2");
          const pixel = new Uint8Array(4);
          const left = Math.floor(gl.drawingBufferWidth / 2 + 32 * (x - 8) + 16);
          const top = Math.floor(gl.drawingBufferHeight / 2 + 32 * (y - 8) + 16);
          gl.readPixels(left, gl.drawingBufferHeight - 1 - top, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
          return [...pixel.subarray(0, 3)];
        },
        [row, column] as const,
      );
    // Rounding to bytes may differ by one.
    const isNear = (colour: number[]): boolean =>
      colour.every((part, k) => Math.abs(part - (expected[k] ?? -9)) <= 1);
    await expect.poll(async () => isNear(await read()) || (await read())).toBe(true);
  }

  test("red, green and blue along a dimension are the colour of an element", async () => {
    await show("photo");
    await expectColour(3, 3, [200, 100, 50]);
    await viewer.page.locator("#canvas").focus();
    await viewer.page.keyboard.press("ArrowUp");
    await viewer.page.locator("#readout", { hasText: /red: 200, green: 100, blue: 50$/ }).waitFor();
  });

  test("an image begins at the plane that its metadata name", async () => {
    await show("image", "&labels=0,0.5,nuclei");
    // 100 of 100, and 40 of 200.
    await expectColour(3, 12, [255, 51, 0]);
    expect(await viewer.page.locator("#sliders output").textContent()).toContain("[2] of 0 to 3");
  });

  test("contrast and opacity of a channel, and the link has them", async () => {
    await show("image", "&labels=0,0.5,nuclei");
    await viewer.page.getByLabel("Last value of green").fill("80");
    await viewer.page.keyboard.press("Tab");
    await expectColour(3, 12, [255, 128, 0]);
    await viewer.page.getByLabel("Opacity of red").fill("0.5");
    await expectColour(3, 12, [128, 128, 0]);
    await viewer.page.getByLabel("green").first().uncheck();
    await expectColour(3, 12, [128, 0, 0]);
    await viewer.page.waitForURL(/channel=1%2C0%2C1%2C0%2C80/);
    const link = viewer.page.url();
    await viewer.show(link.slice(link.indexOf("#")));
    await expectColour(3, 12, [128, 0, 0]);
  });

  /** Answers no requests of these chunks until the result is called. */
  async function hold(chunks: string): Promise<() => Promise<void>> {
    const held: Route[] = [];
    await viewer.page.route(chunks, (route) => {
      held.push(route);
    });
    return async () => {
      await viewer.page.unroute(chunks);
      await Promise.allSettled(held.map((route) => route.continue()));
    };
  }

  test("what stands in for a tile is not mixed with the tiles that are there", async () => {
    const release = await hold("**/series/0/c/0/*/1/1");
    await viewer.show("#url=/data/&path=/series&view=256,256,0.5");
    await expectColour(5, 5, [64, 64, 0]);
    await viewer.page.locator("#canvas").hover();
    await viewer.page.mouse.wheel(0, -700);
    // A coarse tile is as large as four fine ones; it stands in for the one to the right below.
    await expectColour(2, 2, [128, 128, 0]);
    await expectColour(14, 14, [64, 64, 0]);
    await release();
    await expectColour(14, 14, [128, 128, 0]);
  });

  test("channels change to another time together", async () => {
    const release = await hold("**/series/1/c/1/1/**");
    const red = viewer.page.waitForResponse("**/series/1/c/1/0/0/0");
    await viewer.show("#url=/data/&path=/series&view=512,512,0.5");
    await expectColour(5, 5, [64, 64, 0]);
    await viewer.page.locator("#canvas").focus();
    await viewer.page.keyboard.press(".");
    await viewer.page.locator("#sliders output", { hasText: "[1] of 0 to 1" }).waitFor();
    await red;
    await viewer.page.waitForTimeout(300);
    await expectColour(5, 5, [64, 64, 0]);
    await release();
    await expectColour(5, 5, [128, 128, 0]);
  });

  test("labels lie over the image in the colours of their metadata, and are told", async () => {
    await show("image");
    // Half of it is (255, 51, 0), half blue.
    await expectColour(3, 3, [128, 26, 128]);
    await expectColour(3, 12, [255, 51, 0]);
    await viewer.page.locator("#canvas").focus();
    await viewer.page.keyboard.press("ArrowLeft");
    await viewer.page.locator("#readout", { hasText: /red: 100, green: 40, nuclei: 7$/ }).waitFor();
    await viewer.page.getByLabel("Opacity of labels nuclei").fill("1");
    await expectColour(3, 3, [0, 0, 255]);
    await viewer.page.getByLabel("Labels: nuclei").uncheck();
    await expectColour(3, 3, [255, 51, 0]);
  });

  test("labels as outlines: their edges alone, and the link has them", async () => {
    await show("image");
    await viewer.page.getByRole("button", { name: "Outlines" }).click();
    await expectColour(3, 3, [255, 51, 0]);
    await viewer.page.waitForURL(/labels=2%2C1%2Cnuclei/);
    const edge = await viewer.page.evaluate(() => {
      const canvas = document.querySelector("#canvas");
      const gl = canvas instanceof HTMLCanvasElement ? canvas.getContext("webgl2") : null;
      if (!gl) throw new Error("no WebGL2");
      // The last pixel of the left half.
      const pixel = new Uint8Array(4);
      gl.readPixels(
        (gl.drawingBufferWidth >> 1) - 1,
        gl.drawingBufferHeight >> 1,
        1,
        1,
        gl.RGBA,
        gl.UNSIGNED_BYTE,
        pixel,
      );
      return [...pixel.subarray(0, 3)];
    });
    expect(edge).toEqual([0, 0, 255]);
  });
});
