/** Encoders over another one, for codecs that answer later: those of applications, and those of workers. */
import { at as itemAt } from "../../../base/at.js";
import type { Kernels } from "../../../kernels/kernels.js";
import type { AsynchronousCodec } from "../../codecs/codec.js";
import type { ChunkLocation, Pipeline } from "../../codecs/pipeline.js";
import { unwrap, wrap } from "../../codecs/wrapped.js";
import { after } from "../awaitable.js";
import type { ChunkEncoder, Encoded, Receiver, WriteBlock } from "../ports.js";
import type { RemoteBatches, RemoteWriter } from "../shared/chunk-workers.js";
import { type Limiter, settleAll } from "../shared/concurrency.js";

/** Blocks under way: while one is encoded elsewhere, this thread prepares the next. */
const BLOCKS_AT_ONCE = 2;

/** Copies elements for the codecs, and takes back the memory of a chunk that is stored. */
export type Hands = Pick<RemoteWriter, "keep" | "release">;

const COPIES: Hands = { keep: (bytes) => bytes.slice(), release: () => {} };

/** The codecs from the first asynchronous one on. */
export class LaterEncoder implements ChunkEncoder {
  readonly isNow = false;
  readonly blocksAtOnce = BLOCKS_AT_ONCE;
  readonly #inner: ChunkEncoder;
  readonly #codec: AsynchronousCodec;
  readonly #kernels: Kernels;
  readonly #limiter: Limiter;
  readonly #hands: Hands;

  constructor(
    inner: ChunkEncoder,
    codec: AsynchronousCodec,
    kernels: Kernels,
    limiter: Limiter,
    hands: Hands = COPIES,
  ) {
    this.#inner = inner;
    this.#codec = codec;
    this.#kernels = kernels;
    this.#limiter = limiter;
    this.#hands = hands;
  }

  async encode(block: WriteBlock, receiver: Receiver): Promise<void> {
    const [codec, kernels] = [this.#codec, this.#kernels];
    const { keep, release } = this.#hands;
    const decoded = await decodeOld(block, codec, kernels);
    const chunks = await encodeInner(this.#inner, decoded, keep);
    await settleAll(
      chunks.map((elements, i) =>
        this.#limiter.run(async () => {
          const encoded = elements && (await codec.encode(elements, kernels, itemAt(block.at, i)));
          await receiver.take(i, encoded, true);
          if (encoded !== undefined) release(encoded);
        }),
      ),
    );
  }

  async encodeFill(at: ChunkLocation): Promise<Uint8Array> {
    return this.#codec.encode(await this.#inner.encodeFill(at), this.#kernels, at);
  }
}

/** Workers that encode the inner chunks of shards, a block in one message. */
export class BatchEncoder implements ChunkEncoder {
  readonly isNow = false;
  readonly #inner: ChunkEncoder;
  readonly #codec: AsynchronousCodec;
  readonly #pipeline: Pipeline;
  readonly #kernels: Kernels;
  readonly #batches: RemoteBatches;

  /** @param codec decodes what is kept of old chunks */
  constructor(
    inner: ChunkEncoder,
    codec: AsynchronousCodec,
    pipeline: Pipeline,
    kernels: Kernels,
    batches: RemoteBatches,
  ) {
    this.#inner = inner;
    this.#codec = codec;
    this.#pipeline = pipeline;
    this.#kernels = kernels;
    this.#batches = batches;
  }

  get blocksAtOnce(): number {
    return this.#batches.atOnce;
  }

  async encode(block: WriteBlock, receiver: Receiver): Promise<void> {
    const batch = this.#batches.open(this.#pipeline);
    const decoded = await decodeOld(block, this.#codec, this.#kernels);
    const chunks = await encodeInner(this.#inner, decoded, batch.keep);
    await batch.encode(chunks, block.at, (position, encoded) => receiver.take(position, encoded, false));
  }

  async encodeFill(at: ChunkLocation): Promise<Uint8Array> {
    return this.#codec.encode(await this.#inner.encodeFill(at), this.#kernels, at);
  }
}

/** Codecs around shards, after the sharding codec. */
export class WrappedEncoder implements ChunkEncoder {
  readonly isNow = false;
  readonly #shards: ChunkEncoder;
  readonly #around: Pipeline;
  readonly #kernels: Kernels;

  constructor(shards: ChunkEncoder, around: Pipeline, kernels: Kernels) {
    this.#shards = shards;
    this.#around = around;
    this.#kernels = kernels;
  }

  get blocksAtOnce(): number {
    return this.#shards.blocksAtOnce;
  }

  async encode({ band, offset, at, old }: WriteBlock, receiver: Receiver): Promise<void> {
    const [around, kernels] = [this.#around, this.#kernels];
    const unwrapped = await settleAll(
      old.map(async (bytes, i) => bytes && (await unwrap(around, bytes, kernels, itemAt(at, i)))),
    );
    const wrapping: Promise<void>[] = [];
    await this.#shards.encode(
      { band, offset, at, old: unwrapped },
      {
        own: undefined,
        lent: undefined,
        take(i, bytes) {
          const place = itemAt(at, i);
          const wrapped = bytes === undefined ? undefined : wrap(around, bytes, kernels, place);
          const taken = Promise.resolve(wrapped).then((encoded) => receiver.take(i, encoded, true));
          wrapping.push(taken);
          return taken.catch(() => {});
        },
      },
    );
    await settleAll(wrapping);
  }

  async encodeFill(at: ChunkLocation): Promise<Uint8Array> {
    return wrap(this.#around, await this.#shards.encodeFill(at), this.#kernels, at);
  }
}

/** The block with what is kept of its chunks, as the other codecs decode it. */
async function decodeOld(block: WriteBlock, codec: AsynchronousCodec, kernels: Kernels): Promise<WriteBlock> {
  const { band, offset, at, old } = block;
  if (old.every((bytes) => bytes === undefined)) return block;
  const decoded = await settleAll(
    old.map(async (bytes, i) => bytes && codec.decode(bytes, kernels, itemAt(at, i))),
  );
  return { band, offset, at, old: decoded };
}

/** @param keep copies what is in scratch memory */
function encodeInner(
  inner: ChunkEncoder,
  block: WriteBlock,
  keep: (bytes: Uint8Array) => Uint8Array,
): Encoded[] | Promise<Encoded[]> {
  const chunks = new Array<Encoded>(block.at.length).fill(undefined);
  const done = inner.encode(block, {
    own: undefined,
    lent: undefined,
    take(i, encoded, isKept) {
      chunks[i] = isKept || encoded === undefined ? encoded : keep(encoded);
    },
  });
  return after(done, () => chunks);
}
