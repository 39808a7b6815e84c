/**
 * GRIB messages as chunks (array -> bytes), read only: `grib` (kerchunk, in v2), `gribberish` (v3), and
 * `gribscan.rawgrib` (bytes -> bytes, a compressor of v2). A chunk is a message of edition 1 or 2 and has as
 * many points as the message's first field, in the order in which the message stores them; `north_up` and
 * `adjust_longitude_range` of `gribberish` change it (order.ts). Elements are float32 or float64, calculated
 * in doubles as eccodes does. Points without a value are NaN; in `gribscan.rawgrib` they are 9999, as in
 * Python. Deviation: kerchunk's codec also makes NaN of values that are 9999. `var` names the variable and
 * has no effect, but for "latitude" and "longitude": the coordinates of the grid (coordinates.ts). `dtype`
 * has no effect either: elements are of the array's data type.
 * `{"id": "grib", "var": "t2m", "dtype": "float64"}`
 * `{"name": "gribberish", "configuration": {"var": "TMP"}}`
 */
import {
  type ChunkSpec,
  type CodecEntry,
  type CodecForms,
  type CodecSource,
  type JsonObject,
  type Kernels,
  product,
  readChoice,
  readConfiguration,
  readNumcodecs,
  readOnly,
  UnsupportedError,
} from "../../../core/for-codecs.js";
import { decodeCoordinates, type WantedCoordinate } from "./coordinates.js";
import { decodeMessage, type ItemSize } from "./decode.js";
import { type ImageCodecs, imageCodecsOf } from "./images.js";
import { loadGrib } from "./kernels.js";
import type { WantedOrder } from "./order.js";

const AS_STORED: WantedOrder = { northUp: false, fromWest: false };

/** What eccodes gives for points without a value. */
const RAW_MISSING = 9999;

function itemSizeOf(codec: string, { dataType: { name } }: ChunkSpec): ItemSize {
  if (name === "float64") return 8;
  if (name === "float32") return 4;
  throw new UnsupportedError(`wazarr reads ${codec} as float32 and float64, got data type ${name}`, {
    codec,
  });
}

/** What a chunk has of its message: the values of the field, or a coordinate of its grid. */
interface Configuration {
  readonly order: WantedOrder;
  readonly coordinate?: WantedCoordinate | undefined;
}

function readVariable(
  { var: variable }: JsonObject,
  like: WantedCoordinate["like"],
  order: WantedOrder,
): Configuration {
  if (variable !== "latitude" && variable !== "longitude") return { order };
  return { order, coordinate: { name: variable, like, order } };
}

/** Arena bytes for a copy of a message: values take 8 bytes at most. */
const scratchOf = (points: number): number => 9 * points + 65536;

/** What the three codecs are called in documents. */
interface GribCodecs {
  readonly grib: CodecEntry;
  readonly gribberish: CodecEntry;
  readonly rawgrib: CodecEntry;
}

/** @param source of the codecs of images that messages contain */
export function gribCodecs(source: CodecSource): GribCodecs {
  const images = imageCodecsOf(source);
  return {
    grib: messages("grib", { only: "numcodecs" }, readGribOfKerchunk, images),
    gribberish: messages("gribberish", {}, readGribberish, images),
    rawgrib: rawMessages(images),
  };
}

function messages(
  codec: string,
  forms: CodecForms,
  read: (configuration: JsonObject) => Configuration,
  images: ImageCodecs,
): CodecEntry {
  return readOnly(codec, {
    codecKind: "array_to_bytes",
    forms,
    load: loadGrib,
    fromConfig(configuration, spec) {
      const { order, coordinate } = read(configuration);
      const itemSize = itemSizeOf(codec, spec);
      const points = product(spec.shape);
      return {
        kind: "array_to_bytes",
        scratchByteLength: scratchOf(points) + (order === AS_STORED ? 0 : points * itemSize),
        decode: (bytes, { kernels }) =>
          coordinate === undefined
            ? decodeMessage(bytes, { kernels, points, itemSize, missing: Number.NaN, order, images })
            : decodeCoordinates(bytes, kernels, points, itemSize, coordinate),
      };
    },
  });
}

function readGribOfKerchunk(configuration: JsonObject): Configuration {
  readNumcodecs("grib", configuration, ["var", "dtype"]);
  return readVariable(configuration, "eccodes", AS_STORED);
}

function readGribberish(configuration: JsonObject): Configuration {
  readConfiguration("gribberish", configuration, [
    "id",
    "var",
    "dtype",
    "adjust_longitude_range",
    "north_up",
  ]);
  const northUp = readChoice("gribberish", configuration, "north_up", [false, true], false);
  const fromWest = readChoice("gribberish", configuration, "adjust_longitude_range", [false, true], false);
  return readVariable(configuration, "gribberish", { northUp, fromWest });
}

const RAWGRIB = "gribscan.rawgrib";

const rawMessages = (images: ImageCodecs): CodecEntry =>
  readOnly(RAWGRIB, {
    codecKind: "bytes_to_bytes",
    forms: { only: "numcodecs" },
    load: loadGrib,
    fromConfig(configuration, spec) {
      readNumcodecs(RAWGRIB, configuration, []);
      const itemSize = itemSizeOf(RAWGRIB, spec);
      const points = product(spec.shape);
      return {
        kind: "bytes_to_bytes",
        synchronous: true,
        scratchByteLength: scratchOf(points),
        decode(bytes, { kernels }) {
          const decoding = { kernels, points, itemSize, missing: RAW_MISSING, order: AS_STORED, images };
          const elements = decodeMessage(bytes, decoding);
          return spec.endian === "big" ? swapped(elements, itemSize, kernels) : elements;
        },
      };
    },
  });

function swapped(elements: Uint8Array, itemSize: ItemSize, kernels: Kernels): Uint8Array {
  kernels.swap(elements, elements, itemSize);
  return elements;
}
