/** Two hundred steps in Chromium, frame after frame. */
import { expect, test } from "vitest";
import { chromiumLaunchOptions } from "../../../test/setup/chromium.js";
import { openPage } from "./driven.js";

test.skipIf(chromiumLaunchOptions() === undefined)("200 steps, none of them mixed with another", async () => {
  const page = await openPage();
  const { mixed, seen, last, step } = await page.run("steps", 200).finally(() => page.close());
  expect(mixed).toEqual([]);
  expect(seen).toBeGreaterThan(150);
  expect({ last, step }).toEqual({ last: [200, 200, 200, 255], step: { time: 199 } });
});
