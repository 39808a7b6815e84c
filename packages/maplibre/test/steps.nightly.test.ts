/** Two hundred steps and ten thousand pans in Chromium, frame after frame. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import { type Driven, openPage } from "./driven.js";

describe.skipIf(chromiumLaunchOptions() === undefined)("for long", () => {
  let page: Driven;
  beforeAll(async () => {
    page = await openPage();
  });
  afterAll(() => page?.close());

  test("200 steps, none of them mixed with another", async () => {
    const { mixed, seen, last, step } = await page.run("steps", 200);
    expect(mixed).toEqual([]);
    expect(seen).toBeGreaterThan(150);
    expect({ last, step }).toEqual({ last: [200, 200, 200, 255], step: { time: 199 } });
  });

  test("10,000 pans, which leave nothing in memory", { timeout: 1_800_000 }, async () => {
    const [some, many] = await page.run("pans", [1000, 9000]);
    console.info("after 1,000 and 10,000 pans:", some, many);
    expect(many?.textures).toBeLessThanOrEqual((some?.textures ?? 0) + 16);
    expect(many?.heap).toBeLessThan((some?.heap ?? 0) * 1.1);
  });
});
