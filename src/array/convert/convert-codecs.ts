/** Converts codecs from one format to another that produce the same bytes. */

import { UnsupportedError } from "../../base/errors.js";
import { bytesCodec, isBytesCodec } from "../../core/codecs/bytes.js";
import { formsOf } from "../../core/codecs/registry/registry.js";
import { withoutSharding } from "../../core/codecs/sharding/codec-lists.js";
import type { DataType, Endian } from "../../data-types/data-type.js";
import type { Json } from "../../metadata/json.js";
import type { ArrayMetadata, CodecMetadata } from "../../metadata/model.js";
import { NUMCODECS } from "../../metadata/v2.js";
import { codecKinds } from "../create/codec-chain.js";
import { withArrayToBytes } from "../create/codec-options.js";

/** A codec as v3 prefers it: the codec of v3 if there is one, else `numcodecs.ID`. */
async function toV3Codec(codec: CodecMetadata, dataType: DataType): Promise<CodecMetadata> {
  if (!codec.name.startsWith(NUMCODECS)) return codec;
  const { both } = await formsOf(codec.name);
  const configuration = both?.toV3(codec.configuration, dataType);
  return configuration === undefined ? codec : { name: codec.name.slice(NUMCODECS.length), configuration };
}

async function toNumcodecs(codec: CodecMetadata): Promise<CodecMetadata> {
  if (codec.name.startsWith(NUMCODECS)) return codec;
  const { both } = await formsOf(codec.name);
  if (both === undefined) {
    throw new UnsupportedError(
      `codec "${codec.name}" of v3 has no counterpart in v2 and the 2020 draft; choose other codecs`,
      { codec: codec.name },
    );
  }
  return { name: NUMCODECS + codec.name, configuration: both.toNumcodecs(codec.configuration) };
}

/** Byte order of the stored elements; undefined if no `bytes` codec states one. */
export function endianOf({ zarrFormat, endian, codecs, chunkGrid }: ArrayMetadata): Endian | undefined {
  if (zarrFormat !== 3) return endian;
  const flat = withoutSharding(codecs, chunkGrid).codecs;
  const stated = flat.find(isBytesCodec)?.configuration.endian;
  return stated === "big" || stated === "little" ? stated : undefined;
}

/** The complete codecs of an array in the form of v3. @throws UnknownCodecError */
export async function codecsInV3({
  zarrFormat,
  dataType,
  endian,
  codecs,
  chunkGrid,
}: ArrayMetadata): Promise<CodecMetadata[]> {
  const converted = await Promise.all(codecs.map((codec) => toV3Codec(codec, dataType)));
  if (zarrFormat === 3) return converted;
  const spec = {
    shape: chunkGrid.name === "regular" ? chunkGrid.chunkShape : [],
    dataType,
    fillValue: undefined,
  };
  const kinds = await codecKinds(codecs, spec);
  // Array-to-array codecs may change the data type: encoded elements may need a byte order that the array's
  // do not, or another.
  const bytes = kinds.includes("array_to_array")
    ? { name: "bytes", configuration: { endian: endianAfter(codecs, endian) } }
    : bytesCodec(dataType, endian ?? "little");
  return withArrayToBytes(converted, kinds, bytes);
}

/**
 * Codecs for a new v3 array. v2 arrays of zarr-python 3.0 may store elements of fixed size with vlen codecs.
 * v3 does not allow these for such elements, so `bytes` replaces them.
 */
export async function codecsForV3(source: ArrayMetadata): Promise<CodecMetadata[]> {
  const codecs = await codecsInV3(source);
  if (source.zarrFormat === 3 || source.dataType.itemSize === 0) return codecs;
  return codecs.map((codec) =>
    /^vlen-(utf8|bytes)$/.test(codec.name) ? bytesCodec(source.dataType, "little") : codec,
  );
}

/**
 * The byte order of elements after all filters: that of the last numcodecs filter whose encoded dtype states
 * one, else `endian`.
 */
function endianAfter(codecs: readonly CodecMetadata[], endian: Endian = "little"): Endian {
  return codecs.reduce(
    (current, { configuration: { dtype, astype = dtype, encode_dtype = astype } }) =>
      endianOfDtype(encode_dtype) ?? current,
    endian,
  );
}

/**
 * The byte order that the first such filter of a v3 array decodes to; in v2, the data type has to have this
 * byte order.
 */
export function endianBefore({ zarrFormat, codecs }: ArrayMetadata): Endian | undefined {
  if (zarrFormat !== 3) return undefined;
  const stated = codecs.map(({ configuration: { dtype, decode_dtype = dtype } }) =>
    endianOfDtype(decode_dtype),
  );
  return stated.find((endian) => endian !== undefined);
}

function endianOfDtype(dtype: Json | undefined): Endian | undefined {
  const mark = typeof dtype === "string" ? dtype[0] : "";
  return mark === ">" ? "big" : mark === "<" ? "little" : undefined;
}

/**
 * Converts v3 codecs to those of v2 and the draft: `transpose` first, no `bytes`, and the object codec for
 * objects.
 * @throws UnsupportedError for a codec that these formats lack
 */
export async function codecsOfNumcodecs(
  codecs: readonly CodecMetadata[],
  { objectCodec }: DataType,
): Promise<CodecMetadata[]> {
  const converted = await Promise.all(
    codecs
      .filter((codec) => !isBytesCodec(codec))
      .map((codec) => (codec.name === "transpose" ? codec : toNumcodecs(codec))),
  );
  if (objectCodec === undefined) return converted;
  // v2's object codec defines the type of objects: strings stored with vlen-bytes would be read as bytes.
  const defaultName = NUMCODECS + objectCodec;
  const objects = await Promise.all(converted.map(async ({ name }) => (await formsOf(name)).objects));
  const isOwn = ({ name }: CodecMetadata, i: number): boolean =>
    name === defaultName || (objectCodec === "vlen-utf8" && objects[i] === "strings");
  if (converted.some(isOwn)) return converted;
  const others = converted.filter((_, i) => objects[i] === undefined);
  const first = others.findIndex(({ name }) => name !== "transpose");
  others.splice(first < 0 ? others.length : first, 0, { name: defaultName, configuration: {} });
  return others;
}
