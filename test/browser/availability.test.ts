import { expect, it } from "vitest";
import { chromiumTests } from "../setup/chromium-tests.js";
import { readOracles } from "../setup/oracles.js";

const { chromium } = readOracles();

// Where there is no Chromium the run's own count has to say so.
it.skipIf(chromium === null)(`Chromium is here to run ${chromiumTests().length} test files`, () => {
  expect(chromium?.version).toMatch(/^Chromium \d+/);
  expect(chromiumTests()).toContain("test/browser/chromium.test.ts");
  expect(chromiumTests()).not.toContain("test/browser/availability.test.ts");
});
