import { expect, it } from "vitest";
import { testedBrowsers } from "../setup/browsers.js";
import { PAGE_TEST, pageTests } from "../setup/page-tests.js";

// Where a browser is missing the run's own count has to say so.
for (const { name, provider, tests } of testedBrowsers()) {
  it.skipIf(provider === undefined)(`${name} is here to run ${tests.length} test files`, () => {
    expect(tests).toContain(PAGE_TEST);
    expect(tests).not.toContain("test/browser/availability.test.ts");
  });
}

it("everything that needs nothing of Node runs in browsers", () => {
  expect(pageTests().length).toBeGreaterThan(100);
});
