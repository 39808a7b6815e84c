/** Slots for what gives codecs of zarrita's interface a place in a pipeline, and the other way round. */
import { type Slot, slot } from "../../../base/slot.js";
import type { CodecMetadata } from "../../../metadata/model.js";
import type { ArrayToBytesCodec, ChunkSpec, CodecEntry, PipelinePlace } from "../codec.js";
import type { Pipeline } from "../pipeline.js";
import type { CodecSource } from "./codec-source.js";
import type {
  ChunkMetadata,
  RegisteredCodecEntry,
  ZarritaArrayCodec,
  ZarritaCodecEntry,
} from "./zarrita-interface.js";

/** A codec of a document with its entry. */
export interface LoadedCodec {
  readonly metadata: CodecMetadata;
  readonly entry: CodecEntry | ZarritaCodecEntry;
}

/**
 * Codecs of arrays with zarrita's interface, in a pipeline: their encoded chunks are whole shards or chunks.
 */
export interface ForeignCodecs {
  /**
   * Makes the codec that replaces all of `loaded`, or those up to an array-to-bytes codec of zarrita's
   * interface.
   * @param first the instance of the first codec
   * @param meta metadata that the first codec got
   * @param prepareRest prepares a pipeline of the codecs from index `from` on
   */
  prepareChunkCodecs(
    first: ZarritaArrayCodec,
    loaded: readonly LoadedCodec[],
    meta: ChunkMetadata,
    place: PipelinePlace,
    prepareRest: (from: number, spec: ChunkSpec) => Promise<Pipeline>,
  ): Promise<ArrayToBytesCodec>;
  /** The array after a codec. @throws UnknownDataTypeError if it names a data type that is unknown */
  encodedSpecOf(entry: ZarritaCodecEntry, metadata: CodecMetadata, spec: ChunkSpec): ChunkSpec;
}

/** A codec of this package alone, in zarrita's interface. */
export interface StandaloneCodecs {
  standalone(name: string, entry: CodecEntry, source: CodecSource): RegisteredCodecEntry;
}

export const foreignCodecs: Slot<ForeignCodecs> = /* @__PURE__ */ slot("a codec of zarrita's interface");
export const standaloneCodecs: Slot<StandaloneCodecs> = /* @__PURE__ */ slot("a codec without an array");
