import { expect, it } from "vitest";

it("is a real browser: Chromium, on a page served over HTTP, without Node's globals", () => {
  expect(navigator.userAgent).toMatch(/Chrome\/\d+/);
  expect(location.protocol).toBe("http:");
  expect(typeof process === "undefined" || process.versions?.node === undefined).toBe(true);
});
