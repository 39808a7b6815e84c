/** Reads with workers: the core hands them blocks of chunks. */
import { outlast } from "../base/abort.js";
import { at, numberAt } from "../base/at.js";
import { cOrderStrides, offsetOf, product } from "../base/shape.js";
import type { Pipeline } from "../core/codecs/pipeline.js";
import type { Block, Encoded, Piece, Target } from "../core/line/ports.js";
import { BufferPool } from "../core/line/shared/buffers.js";
import type { ArrayForWorkers, RemoteBlock, RemoteReader } from "../core/line/shared/chunk-workers.js";
import { wayOf } from "../core/stores/faster-ways.js";
import type { ValueFiles } from "../core/stores/store.js";
import { widthOf } from "../data-types/drawn.js";
import { planCopy } from "../kernels/copy-plan.js";
import type { Kernels } from "../kernels/kernels.js";
import { levelsOf } from "./levels.js";
import { type Answer, type BandMessage, type KnownArray, toError, UNREAD } from "./messages.js";
import type { Task, WorkerQueue } from "./queue.js";
import { TransferableMemory, transferable } from "./transferable.js";

/**
 * Bytes of a block. Smaller blocks are decoded in this thread: a message and its answer cost 30 to 60 us, and
 * the work should take ten times that.
 */
const SMALLEST_TASK = 64 << 10;

/**
 * Buffers in which workers assemble blocks: shared if possible. A transferred buffer counts as new memory for
 * the receiver's garbage collector, which then runs several times during a read of 64 MiB and takes cores
 * from the workers.
 */
const boxes =
  typeof SharedArrayBuffer === "function"
    ? new BufferPool(32 << 20, (byteLength) => new SharedArrayBuffer(byteLength))
    : undefined;

export function remoteReader(
  queue: WorkerQueue,
  known: KnownArray,
  array: ArrayForWorkers,
  signal: AbortSignal,
): RemoteReader {
  return new Reader(queue, known, array, signal);
}

class Reader implements RemoteReader {
  readonly #queue: WorkerQueue;
  readonly #known: KnownArray;
  readonly #array: ArrayForWorkers;
  readonly #signal: AbortSignal;
  readonly #levels: ReadonlyMap<Pipeline, number>;
  readonly #running = new Set<Promise<unknown>>();
  /** Undefined once workers could not read a file. */
  #files: ValueFiles | undefined;

  constructor(queue: WorkerQueue, known: KnownArray, array: ArrayForWorkers, signal: AbortSignal) {
    this.#queue = queue;
    this.#known = known;
    this.#array = array;
    this.#signal = signal;
    this.#levels = levelsOf(array.pipeline);
    this.#files = wayOf(array.store, "files");
  }

  get readsFiles(): boolean {
    return this.#files !== undefined;
  }

  stopReadingFiles(): void {
    this.#files = undefined;
  }

  takes(pipeline: Pipeline, { pieces }: Block): boolean {
    return this.#levels.has(pipeline) && pipeline.byteLength * pieces.length >= SMALLEST_TASK;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  async place(work: RemoteBlock): Promise<boolean> {
    const { block, target, drawing, locate } = work;
    const values = work.values ?? this.#filesOf(block);
    if (values === undefined) return false;
    const isShared = !(target.bytes.buffer instanceof ArrayBuffer);
    const itemSize = drawing === undefined ? this.#array.fillPattern.length : widthOf(drawing.conversion.to);
    const box = isShared ? undefined : new BlockBox(block, itemSize);
    const task = this.#taskOf(work, values, box);
    const { returned, reads, found, failure } = await this.#run(task, isShared);
    try {
      this.#measured(reads);
      if (failure?.tag === UNREAD) return false;
      if (failure !== undefined) {
        const piece = block.pieces[failure.position];
        throw toError(failure, piece && locate(piece.chunk));
      }
      this.#signal.throwIfAborted();
      for (const [i, chunk] of found.entries()) drawing?.add(placeOf(at(block.pieces, i), target), chunk);
      box?.moveTo(target, returned, this.#array.kernels);
      return true;
    } finally {
      for (const buffer of returned) transferable.give(buffer);
      box?.give();
    }
  }

  /** The files of a block's chunks; undefined unless workers can read all of them. */
  #filesOf({ pieces }: Block): readonly string[] | undefined {
    const paths = pieces.map(({ chunk }) => this.#files?.pathOf(this.#array.locate(chunk).key));
    const found = paths.filter((path) => path !== undefined);
    return found.length === paths.length ? found : undefined;
  }

  #taskOf(
    { pipeline, block, target, drawing }: RemoteBlock,
    values: readonly (Encoded | string)[],
    box: BlockBox | undefined,
  ): Task {
    const memory = new TransferableMemory();
    const level = this.#levels.get(pipeline);
    if (level === undefined) throw new RangeError("internal error: workers do not know this pipeline");
    return {
      byteLength: pipeline.byteLength * block.pieces.length,
      signal: this.#signal,
      message: (id) => {
        const message: BandMessage = {
          type: "band",
          id,
          array: this.#known.number,
          level,
          start: block.start,
          shape: block.shape,
          steps: (block.pieces[0]?.parts ?? []).map(({ step }) => step),
          projections: projectionsOf(block.pieces),
          values: values.map((value) => (value instanceof Uint8Array ? memory.hold(value) : value)),
          window: box?.take() ?? target,
          conversion: drawing?.conversion,
        };
        const { buffer } = box ?? {};
        const { buffers } = memory;
        return { message, transfer: buffer instanceof ArrayBuffer ? [...buffers, buffer] : buffers };
      },
    };
  }

  /** @param writesResult whether the worker writes into memory of the caller */
  async #run(task: Task, writesResult: boolean): Promise<Answer> {
    const promise = this.#queue.run(task);
    this.#running.add(promise);
    if (writesResult) outlast(this.#signal, promise);
    try {
      return await promise;
    } finally {
      this.#running.delete(promise);
    }
  }

  /** Tells the store how long reads took. @param reads pairs of a time and a length */
  #measured(reads: Answer["reads"]): void {
    for (let i = 0; i + 1 < reads.length; i += 2) this.#files?.measured(at(reads, i), at(reads, i + 1));
  }
}

/** The buffer in which a worker assembles a block, unless the result is shared. */
class BlockBox {
  readonly #block: Block;
  readonly #itemSize: number;
  readonly #strides: readonly number[];
  buffer: ArrayBufferLike | undefined;

  constructor(block: Block, itemSize: number) {
    this.#block = block;
    this.#itemSize = itemSize;
    this.#strides = cOrderStrides(block.shape, itemSize);
  }

  get #byteLength(): number {
    return product(this.#block.shape, this.#itemSize);
  }

  /** The target of the worker, whose indices are those of the result. */
  take(): Target {
    this.buffer = (boxes ?? transferable).take(this.#byteLength);
    return {
      bytes: new Uint8Array(this.buffer, 0, this.#byteLength),
      offset: -offsetOf(this.#block.start, this.#strides),
      strides: this.#strides,
      isBlank: false,
    };
  }

  /** @param returned buffers that came back: a transferred one is another object, the last one */
  moveTo({ bytes, offset, strides }: Target, returned: readonly ArrayBuffer[], kernels: Kernels): void {
    const filled = this.buffer instanceof ArrayBuffer ? returned.at(-1) : this.buffer;
    if (filled === undefined) return;
    const { shape, start } = this.#block;
    const plan = planCopy({
      shape,
      targetStrides: strides,
      sourceStrides: this.#strides,
      width: this.#itemSize,
      swapUnit: 1,
    });
    kernels.copy(
      plan,
      bytes,
      offset + offsetOf(start, strides),
      new Uint8Array(filled, 0, this.#byteLength),
      0,
    );
  }

  give(): void {
    if (this.buffer !== undefined && !(this.buffer instanceof ArrayBuffer)) boxes?.give(this.buffer);
  }
}

/** Byte offset of a piece in the result. */
function placeOf({ parts }: Piece, { offset, strides }: Target): number {
  return parts.reduce((sum, { target }, d) => sum + target * numberAt(strides, d), offset);
}

function projectionsOf(pieces: readonly Piece[]): Float64Array {
  return Float64Array.from(
    pieces.flatMap(({ parts }) =>
      parts.flatMap(({ chunk, source, count, target }) => [chunk, source, count, target]),
    ),
  );
}
