/** Counts what a write has stored and encoded, for its caller. */
import { product } from "../../../base/shape.js";
import type { ChunkLocation } from "../../codecs/pipeline.js";
import { after } from "../awaitable.js";
import type { Awaitable, ChunkEncoder, Receiver, WriteBlock } from "../ports.js";
import type { Band, ChunkProjection } from "../shared/bands.js";
import { type OnProgress, trackProgress } from "../shared/on-progress.js";

export interface WriteProgress {
  /** Called with each band that is stored. */
  readonly done: (band: Band) => void;
  /** An encoder that counts the chunks that it hands over. */
  count(encoder: ChunkEncoder): ChunkEncoder;
}

/** Counts finished bands, and finished parts of bands under way. */
export function writeProgress(onProgress: OnProgress, chunksTotal: number, itemSize: number): WriteProgress {
  let last = { chunksDone: 0, bytes: 0 };
  let parts = 0;
  const report = () => onProgress({ chunksDone: last.chunksDone, chunksTotal, bytes: last.bytes + parts });
  const whole: OnProgress = (progress) => {
    // The parts of a band that was repeated are counted twice until the write is done.
    const rest = parts - (progress.bytes - last.bytes);
    parts = progress.chunksDone < chunksTotal ? Math.max(0, rest) : 0;
    last = progress;
    report();
  };
  const part = (chunk: ChunkProjection): void => {
    parts += product(partShape(chunk), itemSize);
    report();
  };
  return {
    done: trackProgress(whole, chunksTotal, itemSize),
    count: (encoder) => new CountedEncoder(encoder, part),
  };
}

/** Picked elements count as one row. */
function partShape({ parts, picked }: ChunkProjection): readonly number[] {
  return picked === undefined ? parts.map(({ count }) => count) : [picked.count];
}

class CountedEncoder implements ChunkEncoder {
  readonly #encoder: ChunkEncoder;
  readonly #part: (chunk: ChunkProjection) => void;

  constructor(encoder: ChunkEncoder, part: (chunk: ChunkProjection) => void) {
    this.#encoder = encoder;
    this.#part = part;
  }

  get isNow(): boolean {
    return this.#encoder.isNow;
  }
  get blocksAtOnce(): number {
    return this.#encoder.blocksAtOnce;
  }

  encode(block: WriteBlock, receiver: Receiver): Awaitable<void> {
    const part = this.#part;
    const { chunks } = block.band;
    return this.#encoder.encode(block, {
      own: receiver.own,
      lent: receiver.lent,
      take(position, encoded, isKept) {
        const taken = receiver.take(position, encoded, isKept);
        const chunk = chunks[position];
        if (chunk !== undefined) part(chunk);
        return after(taken, () => {});
      },
    });
  }

  encodeFill(at: ChunkLocation): Awaitable<Uint8Array> {
    return this.#encoder.encodeFill(at);
  }
}
