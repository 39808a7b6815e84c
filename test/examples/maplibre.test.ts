/** The map of examples/maps/maplibre in Chromium: colours at known places against values computed here. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunchOptions } from "../setup/chromium.js";
import { flat, globe, ShownMap, worldData } from "./maps.js";

describe.skipIf(chromiumLaunchOptions() === undefined)("the map in MapLibre", () => {
  let map: ShownMap;
  beforeAll(async () => {
    map = await ShownMap.open("maplibre", await worldData());
  });
  afterAll(() => map?.close());

  /** Compares pictures with one picture of the data. */
  async function expectColors(time: number, camera: Parameters<ShownMap["compare"]>[1], least: number) {
    const { compared, wrong } = await map.compare(time, camera);
    expect(wrong.join("\n")).toBe("");
    expect(compared).toBeGreaterThan(least);
    expect(map.errors).toEqual([]);
  }

  test("has the colours of the values at their places, step after step", async () => {
    await map.goto("");
    await expectColors(0, flat([0, 0], 1024), 100);
    await map.page.locator("input").fill("4");
    await map.shows("4");
    await expectColors(4, flat([0, 0], 1024), 100);
  });

  test("has them on both sides of the dateline, and plays", async () => {
    await map.goto("#1/0/170");
    await map.page.locator("button").click();
    for (const step of [1, 3, 5]) await map.shows(`${step}`);
    await map.page.locator("button").click();
    await map.page.locator("input").fill("2");
    await map.shows("2");
    await expectColors(2, flat([170, 0], 1024), 100);
  });

  test("says how many tiles failed, and reads them again", async () => {
    const failing = "**/data/c/1/**";
    await map.page.route(failing, (route) => route.fulfill({ status: 403 }));
    await map.goto("");
    await map.page.locator("input").fill("1");
    await map.page.getByText("2 tiles failed: try again").waitFor();
    expect(map.errors.splice(0).filter((message) => !message.includes("403"))).toEqual([]);
    await map.page.unroute(failing);
    await map.page.getByText("2 tiles failed: try again").click();
    await map.page.getByText("tiles failed").waitFor({ state: "detached" });
    await map.shows("1");
    await expectColors(1, flat([0, 0], 1024), 100);
  });

  test("has them on a globe, at its poles and at the dateline", async () => {
    await map.goto("&globe");
    await expectColors(0, globe([0, 0], 1024), 20);
    for (const latitude of [85, -80]) {
      await map.page.evaluate((to) => location.assign(`#1/${to}/175`), latitude);
      await map.page.locator("input").fill("3");
      await map.shows("3");
      await expectColors(3, globe([175, latitude], 1024), 20);
    }
  });
});
