/** The configuration of blosc, as v3 and as numcodecs (v2, `numcodecs.blosc`) spell it. */
import { describe } from "../../../base/errors.js";
import type { Json, JsonObject } from "../../../metadata/json.js";
import {
  readChoice,
  readConfiguration,
  readInteger,
  type WriteSettings,
  writeSettings,
  wrongMember,
} from "../configuration.js";
import {
  BLOSC,
  type BloscSettings,
  COMPRESSOR_NAMES,
  COMPRESSORS,
  type CompressorFormat,
  type Filter,
} from "./formats.js";

/** v3's names, then numcodecs' numbers; -1 is numcodecs' AUTOSHUFFLE. */
const FILTERS = new Map<Json, Filter | "auto">([
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
 * Only writing depends on these settings: a chunk describes itself. So only an unknown member of the
 * configuration prevents reading.
 * @throws InvalidMetadataError
 */
export function prepareSettings(configuration: JsonObject, itemSize: number): WriteSettings<BloscSettings> {
  readConfiguration(BLOSC, configuration, ["cname", "clevel", "shuffle", "typesize", "blocksize"]);
  return writeSettings(() => readSettings(configuration, itemSize), readSettings({}, itemSize));
}

/**
 * `typesize` defaults to the data type's size; one above 255 counts as 1, as in c-blosc.
 *
 * @throws InvalidMetadataError
 */
export function readSettings(configuration: JsonObject, itemSize: number): BloscSettings {
  const compressor = readChoice(BLOSC, configuration, "cname", COMPRESSOR_NAMES, "lz4");
  const { shuffle = -1 } = configuration;
  const filter = FILTERS.get(shuffle);
  if (filter === undefined) {
    throw wrongMember(BLOSC, "shuffle", [...FILTERS.keys()].map(describe).join(" or "), shuffle);
  }
  const level = readInteger(BLOSC, configuration, "clevel", { minimum: 0, maximum: 9, absent: 5 });
  const blocksize = readInteger(BLOSC, configuration, "blocksize", {
    minimum: 0,
    maximum: 2 ** 31 - 1,
    absent: 0,
  });
  const typesize = readInteger(BLOSC, configuration, "typesize", {
    minimum: 1,
    maximum: 2 ** 31 - 1,
    // Elements of variable length are bytes at this point.
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

/** The format that the configuration's compressor writes; undefined for no compressor or an unknown one. */
export function namedFormat(configuration: JsonObject | undefined): CompressorFormat | undefined {
  const name = COMPRESSOR_NAMES.find((each) => each === configuration?.cname);
  return name && COMPRESSORS[name];
}
