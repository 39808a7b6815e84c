/**
 * Chunks that are images, read only, as codecs of imagecodecs write them: the elements of a chunk in C order,
 * little-endian. In v2, and in references of virtual-tiff (v3), they are bytes -> bytes; in v3 arrays of
 * zarr-python, array -> bytes. A package decodes, of PNG wazarr itself; what the image says of itself is
 * read and compared with the chunk before. Dimensions of length 1 do not count, as imagecodecs squeezes them.
 */
import {
  ALIKE,
  type ChunkSpec,
  type CodecEntry,
  CodecError,
  damagedData,
  type JsonObject,
  type Kernels,
  readImagecodecs,
  readOnly,
} from "../../core/for-codecs.js";
import type { Decoder } from "./packages.js";

/** What an image says of itself. */
export interface ImageHeader {
  /** Height, width, and the number of samples of a pixel if there are several. */
  readonly shape: readonly number[];
  /** Name of the data type of its elements. */
  readonly dataType: string;
}

export interface ImageFormat<Package, Header extends ImageHeader> {
  /** The first name of the codec. */
  readonly codec: string;
  /** As errors call it: "LERC". */
  readonly name: string;
  /** Members of configurations. Those that only an encoder needs are not looked at. */
  readonly members: readonly string[];
  readonly decoder: Decoder<Package>;
  /** Reads what is needed of the configuration, once for an array. */
  prepare(configuration: JsonObject, spec: ChunkSpec): ImageReader<Package, Header>;
}

export interface ImageReader<Package, Header extends ImageHeader> {
  /** @throws CodecError for what is no image of this format, UnsupportedError for what is not read of it */
  readHeader(bytes: Uint8Array, kernels: Kernels): Header;
  /**
   * The elements of an image that has the chunk's shape and data type.
   * @throws anything
   */
  decode(decoder: Package, bytes: Uint8Array, header: Header, kernels: Kernels): Uint8Array;
}

/** The codec that reads `format`. */
export function imageCodec<Package, Header extends ImageHeader>(
  format: ImageFormat<Package, Header>,
): CodecEntry {
  const { codec, name, members, decoder } = format;
  return readOnly(codec, {
    codecKind: "bytes_to_bytes",
    forms: { both: ALIKE },
    load: (kernels) => decoder.load(kernels),
    fromConfig(configuration, spec) {
      readImagecodecs(codec, configuration, ["squeeze", ...members]);
      const reader = format.prepare(configuration, spec);
      return {
        kind: "bytes_to_bytes",
        synchronous: true,
        elements: "little",
        decode(bytes, { byteLength, kernels }) {
          const header = reader.readHeader(bytes, kernels);
          compare(header, spec, codec, name);
          const elements = decoder.run((made) => reader.decode(made, bytes, header, kernels));
          if (elements.length === byteLength) return elements;
          throw new CodecError(`expected ${byteLength} bytes of elements, got ${elements.length}`, { codec });
        },
      };
    },
  });
}

/** The lengths of dimensions that count. */
export const lengthsOf = (shape: readonly number[]): string => shape.filter((length) => length !== 1).join();

/** @throws CodecError unless the image has the elements of the chunk */
function compare(image: ImageHeader, { shape, dataType }: ChunkSpec, codec: string, name: string): void {
  if (lengthsOf(image.shape) === lengthsOf(shape) && image.dataType === dataType.name) return;
  throw new CodecError(
    `expected a ${name} image of shape [${shape.join(", ")}] and data type ${dataType.name}, as the chunk has, got one of [${image.shape.join(", ")}] and ${image.dataType}: the chunk belongs to another array`,
    { codec },
  );
}

/** Reads numbers of a header. @throws CodecError for what is outside of it */
export interface HeaderView {
  readonly length: number;
  uint8(offset: number): number;
  uint16(offset: number): number;
  uint32(offset: number): number;
  /** Whether the bytes from `offset` on are these characters. */
  starts(offset: number, text: string): boolean;
  damaged(offset: number, reason: string): CodecError;
}

export function viewHeader(
  bytes: Uint8Array,
  { codec, name }: { readonly codec: string; readonly name: string },
  littleEndian: boolean,
): HeaderView {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const damaged = (offset: number, reason: string): CodecError =>
    damagedData(codec, `${name} image`, offset, reason);
  const within = (offset: number, length: number): number => {
    if (offset + length <= bytes.length) return offset;
    throw damaged(bytes.length, "the header ends too early");
  };
  return {
    length: bytes.length,
    uint8: (offset) => view.getUint8(within(offset, 1)),
    uint16: (offset) => view.getUint16(within(offset, 2), littleEndian),
    uint32: (offset) => view.getUint32(within(offset, 4), littleEndian),
    starts: (offset, text) => Array.from(text).every((each, i) => bytes[offset + i] === each.charCodeAt(0)),
    damaged,
  };
}
