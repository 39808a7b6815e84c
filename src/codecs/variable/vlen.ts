/**
 * `zarrs.vlen` (array -> bytes, experimental): offsets and data of the elements, each through codecs of its own.
 * https://docs.rs/zarrs/latest/zarrs/array/codec/array_to_bytes/vlen/index.html
 *
 *     start:  u64 length of the encoded index (little-endian) | index | data
 *     end:    data | index | u64 length of the encoded index
 *
 * The index is an array of n + 1 unsigned offsets, the data one of uint8; both chains are any that v3 allows for those. Data of
 * length 0 are not encoded at all. Configuration 0.0 has no `index_location`, which means "start"; 0.1 requires it. Elements can be
 * read alone where encoded data are the data.
 * Alias: `https://codec.zarrs.dev/array_to_bytes/vlen`.
 * `{"name": "zarrs.vlen", "configuration": {"index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
 *   "data_codecs": [{"name": "bytes"}], "index_data_type": "uint32", "index_location": "end"}}`
 */

import { describe, InvalidMetadataError } from "../../errors.js";
import { loadStrings } from "../../kernels/strings.js";
import type { ArrayToBytesCodec, CodecEntry } from "../codec.js";
import { readCodecs } from "../codec-list.js";
import { readConfiguration } from "../configuration.js";
import { checkColumnType, countOf } from "./columns.js";
import { isAsStored, prepareData, prepareIndex } from "./vlen/chains.js";
import { codecAhead, codecNow } from "./vlen/elements.js";
import { partialOf } from "./vlen/partial.js";

const CODEC = "zarrs.vlen";

const vlen: CodecEntry = {
  kind: "array_to_bytes",
  fromConfig() {
    throw new InvalidMetadataError("a vlen codec is prepared with its inner codecs", { codec: CODEC });
  },
  async prepare({ configuration }, place): Promise<ArrayToBytesCodec> {
    const { spec, kernels } = place;
    readConfiguration(CODEC, configuration, [
      "index_codecs",
      "data_codecs",
      "index_data_type",
      "index_location",
    ]);
    checkColumnType(CODEC, spec);
    const { index_data_type: indexDataType, index_location: location = "start" } = configuration;
    if (indexDataType !== "uint32" && indexDataType !== "uint64") {
      throw invalid("index_data_type", 'expected "uint32" or "uint64"', indexDataType);
    }
    if (location !== "start" && location !== "end") {
      throw invalid("index_location", 'expected "start" or "end"', location);
    }
    const indexCodecs = readCodecs(configuration.index_codecs, CODEC, "configuration.index_codecs");
    const dataCodecs = readCodecs(configuration.data_codecs, CODEC, "configuration.data_codecs");
    const entries = countOf(spec) + 1;
    const { pipeline, ...index } = await prepareIndex(indexCodecs, indexDataType, entries, place);
    const data = await prepareData(dataCodecs, place);
    const width = indexDataType === "uint64" ? 8 : 4;
    const layout = { entries, width, location, strings: await loadStrings(kernels) } as const;
    const partial = isAsStored(dataCodecs) ? partialOf(layout, index, pipeline) : undefined;
    const codec =
      index.now === undefined || data.now === undefined
        ? codecAhead(layout, index, data)
        : { variable: codecNow(layout, index.now, data.now) };
    return { ...codec, kind: "array_to_bytes", variable: { ...codec.variable, partial } };
  },
};
export default vlen;

function invalid(member: string, expected: string, got: unknown): InvalidMetadataError {
  return new InvalidMetadataError(`${expected}, got ${describe(got)}`, {
    codec: CODEC,
    member: `configuration.${member}`,
  });
}
