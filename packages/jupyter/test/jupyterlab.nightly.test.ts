/**
 * A notebook from end to end, in a real JupyterLab with Chromium: pictures of zarr-python, xarray and Icechunk, and
 * traits both ways.
 */
import { existsSync } from "node:fs";
import { decode } from "fast-png";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import { Lab, PYTHON } from "./lab.js";

const [LOW, HIGH] = [
  [68, 1, 84],
  [253, 231, 37],
];

/** Step 0 is low on the left and high on the right, step 1 the other way round. */
const CELLS = [
  `import json, pathlib, tempfile, time
import numpy as np, xarray, zarr, icechunk, wazarr
halves = np.zeros((2, 64, 128), "float32")
halves[0, :, 64:] = 1
halves[1, :, :64] = 1
group = zarr.create_group(zarr.storage.MemoryStore())
group.create_array("halves", data=halves, chunks=(1, 32, 32), dimension_names=("time", "y", "x"))
viewer = wazarr.view(group)
viewer`,
  "print(json.dumps([viewer.is_complete, viewer.selection]))",
  "print(json.dumps([viewer.selection, viewer.point, viewer.value]))",
  'viewer.selection = {"time": 0}; viewer.point = [100.5, 20.5]',
  "print(json.dumps([viewer.value['label'], viewer.value['row'], viewer.value['column']]))",
  `times = np.array(["2026-03-05", "2026-03-06"], "datetime64[ns]")
data = xarray.Dataset({"halves": (("time", "latitude", "longitude"), halves)}, {"time": times, "latitude": np.linspace(80, -80, 64), "longitude": np.linspace(-178, 178, 128)})
other = wazarr.view(data, selection={"time": "2026-03-06"})
other`,
  `repository = icechunk.Repository.create(icechunk.in_memory_storage())
session = repository.writable_session("main")
zarr.create_group(session.store).create_array("halves", data=halves, chunks=(1, 32, 32))
third = wazarr.view(session)
third`,
  `large = zarr.create_array(tempfile.mkdtemp() + "/large.zarr", shape=(1000, 721, 1440), chunks=(1, 721, 1440), dtype="float32")
large[500] = np.random.default_rng(0).normal(280, 20, (721, 1440)).astype("float32")
first = []
begun = time.time()
fourth = wazarr.view(large, selection={"0": 500})
fourth.observe(lambda change: first.append(time.time() - begun), "is_complete")
fourth`,
  "print(json.dumps([large.nbytes, first[0]]))",
];

describe.skipIf(chromiumLaunchOptions() === undefined || !existsSync(PYTHON))(
  "a notebook in JupyterLab",
  () => {
    let lab: Lab;
    beforeAll(async () => {
      lab = await Lab.open(CELLS);
    });
    afterAll(() => lab?.close());

    const viewer = (index: number) => lab.page.locator(".wazarr").nth(index);
    /** Colours in the middle of the left and of the right half. */
    const colours = async (index: number): Promise<number[][]> => {
      const canvas = viewer(index).locator("canvas");
      await canvas.scrollIntoViewIfNeeded();
      const { width, height, channels, data } = decode(await canvas.screenshot());
      // The picture is twice as wide as it is high.
      const half = Math.min(width, 2 * height) / 4;
      return [width / 2 - half, width / 2 + half].map((x) => {
        const start = channels * (Math.round(height / 2) * width + Math.round(x));
        return Array.from(data.subarray(start, start + 3));
      });
    };
    const shows = (index: number, expected: number[][]) =>
      expect.poll(() => colours(index), { timeout: 200_000 }).toEqual(expected);

    test("shows a group of zarr-python", async () => {
      await lab.run(0);
      await shows(0, [LOW, HIGH]);
      expect(JSON.parse(await lab.run(1))).toEqual([true, {}]);
    });

    test("gives the slider and clicks to Python", async () => {
      await viewer(0).locator("input").fill("1");
      await shows(0, [HIGH, LOW]);
      const canvas = viewer(0).locator("canvas");
      const { width = 0, height = 0 } = (await canvas.boundingBox()) ?? {};
      await canvas.click({ position: { x: width / 2 - 40, y: height / 2 } });
      await viewer(0).locator(".wazarr-words").filter({ hasText: /^1$/ }).waitFor();
      const [selection, point, value] = JSON.parse(await lab.run(2));
      expect({ selection, label: value.label }).toEqual({ selection: { time: 1 }, label: "1" });
      expect(point[1]).toBeCloseTo(32, 0);
      expect([value.row, value.column]).toEqual([Math.floor(point[1]), Math.floor(point[0])]);
    });

    test("follows what Python sets", async () => {
      await lab.run(3);
      await shows(0, [LOW, HIGH]);
      await viewer(0).locator(".wazarr-words").filter({ hasText: /^1$/ }).waitFor();
      expect(JSON.parse(await lab.run(4))).toEqual(["1", 20, 100]);
    });

    test("shows a data set of xarray at a date, and a session of Icechunk", async () => {
      await lab.run(5);
      await shows(1, [HIGH, LOW]);
      await viewer(1).getByText("2026-03-06").waitFor();
      await lab.run(6);
      await shows(2, [LOW, HIGH]);
    });

    test("shows an array of 4 GB, of which it reads what it shows", async () => {
      await lab.run(7);
      await viewer(3).getByText("500").waitFor();
      await expect
        .poll(async () => (await colours(3)).flat().some((part) => part > 0), { timeout: 200_000 })
        .toBe(true);
      const [bytes, seconds] = JSON.parse(await lab.run(8));
      console.log(
        `first picture of ${bytes} bytes after ${seconds.toFixed(2)} s; wheel of ${lab.wheelSize} bytes`,
      );
      expect(bytes).toBeGreaterThan(4e9);
      expect(lab.wheelSize).toBeLessThan(1_500_000);
    });
  },
);
