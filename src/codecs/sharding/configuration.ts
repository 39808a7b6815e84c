/** The configuration of `sharding_indexed`, checked. */
import { describe, InvalidMetadataError } from "../../errors.js";
import type { JsonObject } from "../../metadata/json.js";
import type { CodecMetadata } from "../../metadata/model.js";
import { readCodecs } from "../codec-list.js";
import { readConfiguration } from "../configuration.js";

export const SHARDING = "sharding_indexed";

export interface ShardingConfiguration {
  /** Shape of an inner chunk, as the codec sees the shard (after any transpose before it). */
  readonly chunkShape: readonly number[];
  readonly codecs: readonly CodecMetadata[];
  readonly indexCodecs: readonly CodecMetadata[];
  readonly indexLocation: "start" | "end";
}

/** @throws InvalidMetadataError naming the member; inner chunks that do not divide the shard are one such error */
export function readShardingConfiguration(
  configuration: JsonObject,
  shape: readonly number[],
): ShardingConfiguration {
  readConfiguration(SHARDING, configuration, ["chunk_shape", "codecs", "index_codecs", "index_location"]);
  const location = configuration.index_location ?? "end";
  if (location !== "start" && location !== "end") {
    throw invalid("index_location", `expected "start" or "end", got ${describe(location)}`);
  }
  return {
    chunkShape: readChunkShape(configuration, shape),
    codecs: readCodecs(configuration.codecs, SHARDING, "configuration.codecs"),
    indexCodecs: readCodecs(configuration.index_codecs, SHARDING, "configuration.index_codecs"),
    indexLocation: location,
  };
}

function readChunkShape(configuration: JsonObject, shape: readonly number[]): number[] {
  const json = configuration.chunk_shape;
  const lengths = Array.isArray(json)
    ? json
        // zarr-python wrote `true` for 1, and reads it so.
        .map((length) => (length === true ? 1 : length))
        .filter((length) => Number.isSafeInteger(length) && Number(length) > 0)
    : [];
  const numbers = lengths.map(Number);
  const divides =
    numbers.length === shape.length && numbers.every((length, d) => (shape[d] ?? 0) % length === 0);
  if (!Array.isArray(json) || json.length !== shape.length || !divides) {
    throw invalid(
      "chunk_shape",
      `expected ${shape.length} positive integers that divide the shard's shape [${shape.join(", ")}], got ${describe(json)}`,
    );
  }
  return numbers;
}

function invalid(member: string, message: string): InvalidMetadataError {
  return new InvalidMetadataError(message, { codec: SHARDING, member: `configuration.${member}` });
}
