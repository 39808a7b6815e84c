/** Filters against what numcodecs makes: test/fixtures/codecs/filters.json. */
import { beforeAll, describe, expect, it } from "vitest";
import type { ChunkSpec } from "../../../src/core/codecs/codec.js";
import { dataTypeFromV2, loadExtraDataTypes } from "../../../src/data-types/registry.js";
import type { Kernels } from "../../../src/kernels/kernels.js";
import type { JsonObject } from "../../../src/metadata/json.js";
import { expectElements, fromHex, runBoth, vectorSpec } from "../../core/codecs/array-harness.js";
import { bothKernels } from "../../core/codecs/harness.js";
import fixtures from "../../fixtures/codecs/filters.json" with { type: "json" };

interface Case {
  readonly configuration: JsonObject;
  readonly data_type: string;
  readonly elements: string;
  readonly encoded_type: string;
  readonly encoded: string;
  readonly decoded: string;
}
const cases: readonly Case[] = JSON.parse(JSON.stringify(fixtures.cases));

/** numpy names strings by their bits. */
function specOf(each: Case, length: number): ChunkSpec {
  const strings = /^str(\d+)$/.exec(each.data_type);
  if (strings === null) return vectorSpec(each.data_type, length);
  const { dataType } = dataTypeFromV2(`<U${Number(strings[1]) / 32}`);
  return { shape: [length], dataType, fillValue: "" };
}
const nameOf = ({ configuration: { id } }: Case): string => `numcodecs.${String(id)}`;

describe("as numcodecs", () => {
  let both: readonly Kernels[] = [];
  beforeAll(async () => {
    both = await bothKernels();
    await loadExtraDataTypes();
  });

  for (const [number, each] of cases.entries()) {
    const { id, ...configuration } = each.configuration;
    const title = `${number}: ${String(id)} of ${each.data_type} ${JSON.stringify(configuration)}`;

    it(`decodes ${title}`, async () => {
      const expected = fromHex(each.decoded);
      const { itemSize } = specOf(each, 1).dataType;
      const spec = specOf(each, expected.length / itemSize);
      const decoded = await runBoth(both, nameOf(each), configuration, spec, "decode", fromHex(each.encoded));
      expectElements(spec.dataType.toV3(), decoded, expected);
    });

    it(`encodes ${title}`, async () => {
      const elements = fromHex(each.elements);
      const { itemSize } = specOf(each, 1).dataType;
      const spec = specOf(each, elements.length / itemSize);
      const encoded = await runBoth(both, nameOf(each), configuration, spec, "encode", elements);
      if (typeof encoded === "string") {
        // Refused, and rightly so: numcodecs stores something that it does not read back.
        expect(each.decoded, encoded).not.toEqual(each.elements);
        return;
      }
      // numcodecs' bitround leaves integers of the width, which are the floats' bits.
      const type = id === "bitround" ? each.data_type : each.encoded_type;
      expectElements(type, encoded, fromHex(each.encoded));
    });
  }
});
