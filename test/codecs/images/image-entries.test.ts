/** The entries that give applications the packages which decode images: in Node, and bundled by Vite. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import jpeg from "../../../src/codecs/images/entries/jpeg.js";
import jpeg2000, { htj2k } from "../../../src/codecs/images/entries/jpeg2000.js";
import lerc from "../../../src/codecs/images/entries/lerc.js";
import webp from "../../../src/codecs/images/entries/webp.js";
import { get, open, registry } from "../../../src/index.js";
import { expectSame } from "../../core/codecs/harness.js";
import fixtures from "../../fixtures/codecs/images.json" with { type: "json" };
import { imageCases, storeOfV3 } from "./image-cases.js";

const CASES = imageCases(fixtures);
const ENTRIES = [
  ["imagecodecs_lerc", lerc],
  ["imagecodecs_jpeg", jpeg],
  ["imagecodecs_jpeg2k", jpeg2000],
  ["imagecodecs_htj2k", htj2k],
  ["imagecodecs_webp", webp],
] as const;

describe.each(ENTRIES)("%s", (id, codec) => {
  const before = registry.get(id);
  beforeAll(() => {
    registry.set(id, () => codec);
  });
  afterAll(() => {
    if (before !== undefined) registry.set(id, before);
  });

  it("reads with the package that its entry brings", async () => {
    const some = CASES.filter((each) => each.codec.id === id).slice(0, 5);
    expect(some.length).toBeGreaterThan(0);
    for (const each of some) {
      const { data } = await get(await open(storeOfV3(each), { kind: "array" }));
      if (!ArrayBuffer.isView(data)) throw new Error("expected a typed array");
      expectSame(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), each.values);
    }
  });
});
