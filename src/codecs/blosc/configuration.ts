/** The configuration of blosc, as v3 and as numcodecs (v2, `numcodecs.blosc`) spell it. */
import { describe, InvalidMetadataError } from "../../errors.js";
import type { JsonObject } from "../../metadata/json.js";
import { readConfiguration, readInteger, type WriteSettings, writeSettings } from "../configuration.js";
import { BLOSC, COMPRESSORS, type CompressorFormat, type CompressorName, type Filter } from "./formats.js";

export interface BloscSettings {
  readonly compressor: CompressorName;
  /** 0 (stored) to 9 (smallest). */
  readonly level: number;
  readonly filter: Filter;
  /** 1 to 255. */
  readonly typesize: number;
  /** Bytes a block; 0 for blosc's choice. */
  readonly blocksize: number;
}

/** v3's names, then numcodecs' numbers; -1 is numcodecs' AUTOSHUFFLE. */
const FILTERS = new Map<unknown, Filter | "auto">([
  ["noshuffle", "none"],
  ["shuffle", "shuffle"],
  ["bitshuffle", "bitshuffle"],
  [0, "none"],
  [1, "shuffle"],
  [2, "bitshuffle"],
  [-1, "auto"],
]);

const MAXIMUM_TYPESIZE = 255;

/**
 * Only writing depends on any of it: a chunk says itself how it was made. So nothing but a member that nobody knows blocks reading.
 * @throws InvalidMetadataError
 */
export function prepareSettings(configuration: JsonObject, itemSize: number): WriteSettings<BloscSettings> {
  readConfiguration(BLOSC, configuration, ["cname", "clevel", "shuffle", "typesize", "blocksize"]);
  return writeSettings(() => readSettings(configuration, itemSize), readSettings({}, itemSize));
}

/**
 * `typesize` defaults to the data type's size; one above
 * 255 counts as 1, as in c-blosc.
 *
 * @throws InvalidMetadataError
 */
export function readSettings(configuration: JsonObject, itemSize: number): BloscSettings {
  const { cname: compressor = "lz4", shuffle = -1 } = configuration;
  if (!isCompressorName(compressor)) throw unexpected("cname", Object.keys(COMPRESSORS), compressor);
  const filter = FILTERS.get(shuffle);
  if (filter === undefined) throw unexpected("shuffle", [...FILTERS.keys()], shuffle);
  const level = readInteger(BLOSC, configuration, "clevel", { minimum: 0, maximum: 9, absent: 5 });
  const blocksize = readInteger(BLOSC, configuration, "blocksize", {
    minimum: 0,
    maximum: 2 ** 31 - 1,
    absent: 0,
  });
  const typesize = readInteger(BLOSC, configuration, "typesize", {
    minimum: 1,
    maximum: 2 ** 31 - 1,
    // Elements of variable length are bytes by now.
    absent: Math.max(1, itemSize),
  });
  return {
    compressor,
    level,
    filter: filter !== "auto" ? filter : itemSize === 1 ? "bitshuffle" : "shuffle",
    typesize: typesize > MAXIMUM_TYPESIZE ? 1 : typesize,
    blocksize,
  };
}

/** What the compressor writes that a configuration names, if it names one that exists. */
export function namedFormat(configuration: JsonObject | undefined): CompressorFormat | undefined {
  const name = configuration?.cname;
  return isCompressorName(name) ? COMPRESSORS[name] : undefined;
}

function isCompressorName(name: unknown): name is CompressorName {
  return typeof name === "string" && Object.hasOwn(COMPRESSORS, name);
}

function unexpected(member: string, allowed: readonly unknown[], got: unknown): InvalidMetadataError {
  return new InvalidMetadataError(
    `expected one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}, got ${describe(got)}`,
    { codec: BLOSC, member: `configuration.${member}` },
  );
}
