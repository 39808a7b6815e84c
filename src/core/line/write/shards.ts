/**
 * Shards are an encoder over the encoder of their inner chunks: those that a write changes are encoded, block
 * after block, and the bytes of all others are copied. Where shards nest, this encoder is over itself.
 */
import { at as itemAt } from "../../../base/at.js";
import { offsetOf } from "../../../base/shape.js";
import type { DimensionSelection } from "../../../grid/selection.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { ChunkLocation, ShardLayout } from "../../codecs/pipeline.js";
import type { ChunkEncoder, Encoded, Receiver, WriteBlock } from "../ports.js";
import { type Band, type ChunkProjection, chunkBox, eachBand, planShard } from "../shared/bands.js";
import { type BufferPool, Lease, ownMemory } from "../shared/buffers.js";
import { forEach, type Limiter } from "../shared/concurrency.js";
import { innerLocation } from "./inner-location.js";
import { PieceMemory } from "./kept-bytes.js";
import { ShardBuilder } from "./shard-builder.js";

/** What the shards of all levels of one write share. */
export interface ShardWriting {
  readonly kernels: Kernels;
  /** Bytes of an element; 0 if they have no fixed size. */
  readonly itemSize: number;
  /** Of the whole array; only its steps are used. */
  readonly selection: readonly DimensionSelection[];
  /** From one element of the value to the next, by dimension. */
  readonly strides: readonly number[];
  /** For large shards, freed at the end of the write; the thread's reused memory unless given. */
  readonly buffers: BufferPool | undefined;
}

/** One shard of a block. */
interface Shard {
  readonly chunk: ChunkProjection;
  readonly at: ChunkLocation;
  readonly old: Encoded;
  /** As of the block. */
  readonly offset: number;
}

export class ShardEncoder implements ChunkEncoder {
  readonly isNow = false;
  readonly blocksAtOnce = 1;
  readonly #inner: ChunkEncoder;
  readonly #layout: ShardLayout;
  readonly #writing: ShardWriting;
  readonly #encoding: Limiter;

  /** @param encoding how many shards are encoded at once, while others are stored */
  constructor(inner: ChunkEncoder, layout: ShardLayout, writing: ShardWriting, encoding: Limiter) {
    this.#inner = inner;
    this.#layout = layout;
    this.#writing = writing;
    this.#encoding = encoding;
  }

  async encode({ band, offset, at, old }: WriteBlock, receiver: Receiver): Promise<void> {
    for (const [i, chunk] of band.chunks.entries()) {
      const shard = { chunk, at: itemAt(at, i), old: old[i], offset };
      await this.#one(shard, i, receiver);
    }
  }

  encodeFill(at: ChunkLocation): Uint8Array {
    const { kernels } = this.#writing;
    return new ShardBuilder(this.#layout, undefined, kernels, at).join(kernels, ownMemory);
  }

  async #one(shard: Shard, position: number, receiver: Receiver): Promise<void> {
    const { buffers, kernels } = this.#writing;
    const lease = new Lease(buffers);
    const pieces = new Lease(buffers);
    const isCopied = receiver.own === undefined;
    const allocate = receiver.own ?? receiver.lent ?? lease.allocate;
    // Without an old shard the inner chunks get their places in the shard at once.
    const memory =
      isCopied && shard.old === undefined
        ? new PieceMemory(allocate, this.#layout)
        : new PieceMemory(pieces.allocate);
    const builder = await this.#encoding.run(() => this.#build(shard, memory));
    const joined = builder.isEmpty ? undefined : builder.join(kernels, allocate, memory);
    pieces.release();
    await receiver.take(position, joined, allocate !== lease.allocate);
    lease.release();
  }

  /** Encodes the inner chunks that the write changes. */
  async #build({ chunk, at, old, offset }: Shard, memory: PieceMemory): Promise<ShardBuilder> {
    const layout = this.#layout;
    const { kernels, itemSize, selection, strides } = this.#writing;
    const { plan } = planShard(chunk, selection, layout.innerShape, itemSize);
    const builder = new ShardBuilder(layout, old, kernels, at);
    const inShard = offset + offsetOf(chunkBox(chunk).start, strides);
    const encode = async (band: Band): Promise<void> => {
      const entries = band.chunks.map((inner) => offsetOf(inner.chunk, layout.gridStrides));
      const block = {
        band,
        offset: inShard,
        at: band.chunks.map((inner) => innerLocation(layout, inner, at)),
        old: band.chunks.map(({ whole }, i) => (whole ? undefined : builder.get(itemAt(entries, i)))),
      };
      await this.#inner.encode(block, {
        own: undefined,
        lent: undefined,
        take(i, encoded, isKept) {
          builder.set(itemAt(entries, i), isKept || encoded === undefined ? encoded : memory.keep(encoded));
        },
      });
    };
    await forEach(eachBand(plan), this.#inner.blocksAtOnce, encode);
    return builder;
  }
}
