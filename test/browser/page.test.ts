import { expect, it } from "vitest";
import { server } from "vitest/browser";

/** WebKit's includes neither name of the others. */
const ITS_OWN = {
  chromium: /Chrome\/\d+/,
  firefox: /Firefox\/\d+/,
  webkit: /^(?!.*Chrome).*AppleWebKit\/\d+/,
};

it("is the real browser, on a page served over HTTP, without Node's globals", () => {
  expect(Object.entries(ITS_OWN).filter(([, pattern]) => pattern.test(navigator.userAgent))).toMatchObject([
    [server.browser, {}],
  ]);
  expect(location.protocol).toBe("http:");
  expect(typeof process === "undefined" || process.versions?.node === undefined).toBe(true);
});
