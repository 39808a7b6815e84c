/**
 * The chunk key encodings `suffix` and `prefix`, proposed for zarr-extensions (pull request 28, and 47, which
 * was closed in favour of `template`), which add a string to the keys of another encoding: { "name":
 * "suffix", "configuration": { "suffix": ".tiff", "base_encoding": { "name": "default" } } }
 */
import type { ChunkKeyEncodingEntry } from "../chunk-key-encodings.js";
import type { Member } from "../member.js";

// zarrs and the specification's first example have "base-encoding", and zarrs may omit it.
function baseOf(configuration: Member): Member {
  const [base, other] = [configuration.get("base_encoding"), configuration.get("base-encoding")];
  if (!base.isNull) return base;
  return other.isNull ? base.as("default") : other;
}

export const suffix: ChunkKeyEncodingEntry = {
  name: "suffix",
  fromConfig(configuration, _rank, baseKeys) {
    configuration.ignorable(["suffix", "base_encoding", "base-encoding"]);
    const end = configuration.get("suffix").string();
    const base = baseKeys(baseOf(configuration));
    return {
      keyOf: (coordinates) => base.keyOf(coordinates) + end,
      coordinatesOf: (key) =>
        key.endsWith(end) ? base.coordinatesOf(key.slice(0, key.length - end.length)) : undefined,
    };
  },
};

export const prefix: ChunkKeyEncodingEntry = {
  name: "prefix",
  fromConfig(configuration, _rank, baseKeys) {
    configuration.ignorable(["prefix", "base_encoding", "base-encoding"]);
    const start = configuration.get("prefix").string();
    const base = baseKeys(baseOf(configuration));
    return {
      keyOf: (coordinates) => start + base.keyOf(coordinates),
      coordinatesOf: (key) =>
        key.startsWith(start) ? base.coordinatesOf(key.slice(start.length)) : undefined,
    };
  },
};
