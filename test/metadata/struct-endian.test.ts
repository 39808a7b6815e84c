import { expect, test } from "vitest";
import { loadExtraDataTypes } from "../../src/data-types/registry.js";
import type { Json } from "../../src/metadata/json.js";
import { writeV3 } from "../../src/metadata/write.js";
import { BIG, LITTLE } from "../setup/codecs.js";

import { parseArray } from "./v3-document.js";

await loadExtraDataTypes();

const structured = (type: string): Json => ({ name: "structured", configuration: { fields: [["a", type]] } });
const rewritten = async (data_type: Json, fill_value: Json, codecs: Json): Promise<unknown> =>
  writeV3(await parseArray({ data_type, fill_value, codecs }));
const shards = (codecs: Json): Json => ({
  name: "sharding_indexed",
  configuration: { chunk_shape: [1, 1], codecs, index_codecs: [LITTLE] },
});

test.each<[Json, Json]>([
  [
    ["bytes", "crc32c"],
    [LITTLE, { name: "crc32c" }],
  ],
  [[BIG], [BIG]],
  [[shards(["bytes"])], [shards([LITTLE])]],
  [[shards([shards([{ name: "bytes" }])])], [shards([shards([LITTLE])])]],
  [[shards([BIG])], [shards([BIG])]],
])("legacy structured arrays with %j are written as struct with %j", async (codecs, expected) => {
  expect(await rewritten(structured("int32"), "AQAAAA==", codecs)).toMatchObject({
    data_type: { name: "struct", configuration: { fields: [{ name: "a", data_type: "int32" }] } },
    codecs: expected,
  });
});

test("structs of bytes alone may lack it, and so may other types", async () => {
  expect(await rewritten(structured("uint8"), "AQ==", ["bytes"])).toMatchObject({
    codecs: [{ name: "bytes" }],
  });
  expect(await rewritten("uint8", 0, ["bytes"])).toMatchObject({ codecs: [{ name: "bytes" }] });
});
