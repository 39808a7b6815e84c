import { expect, test } from "vitest";
import { parseJson, stringifyJson } from "../../src/metadata/json.js";
import { parseV3, writeV3 } from "../../src/metadata/v3.js";

test("smoke", () => {
  const metadata = parseV3(
    parseJson(
      `{"zarr_format":3,"node_type":"array","shape":[4,4],"data_type":{"name":"uint64"},"chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,2]}},"chunk_key_encoding":"default","fill_value":18446744073709551615,"codecs":["bytes"],"attributes":{"a":NaN}}`,
    ),
  );
  expect(stringifyJson(writeV3(metadata))).toMatchInlineSnapshot(
    `"{"shape":[4,4],"data_type":"uint64","chunk_grid":{"name":"regular","configuration":{"chunk_shape":[2,2]}},"chunk_key_encoding":{"name":"default","configuration":{"separator":"/"}},"fill_value":18446744073709551615,"codecs":[{"name":"bytes"}],"attributes":{"a":NaN},"zarr_format":3,"node_type":"array","storage_transformers":[]}"`,
  );
});
