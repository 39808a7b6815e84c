/** Reads with workers: the engine hands them bands of chunks. */
import { outlast } from "../base/abort.js";
import { at } from "../base/at.js";
import { cOrderStrides, product } from "../base/shape.js";
import type { ChunkLocation, Pipeline } from "../core/codecs/pipeline.js";
import { wayOf } from "../core/stores/faster-ways.js";
import type { ValueFiles } from "../core/stores/store.js";
import { offsetOf, type ResultWindow } from "../engine/assembler.js";
import { type Band, type ChunkProjection, chunkBox } from "../engine/bands.js";
import { BufferPool } from "../engine/buffers.js";
import type { ArrayForWorkers, RemoteBand, RemoteReader, StoredParts } from "../engine/chunk-workers.js";
import { copyRows, movePlans } from "../engine/rows.js";
import type { DimensionSelection } from "../grid/selection.js";
import { levelsOf } from "./levels.js";
import { type Answer, type BandMessage, type KnownArray, toError, UNREAD } from "./messages.js";
import type { Task, WorkerQueue } from "./queue.js";
import { TransferableMemory, transferable } from "./transferable.js";

/**
 * Bytes of a band. Smaller bands are decoded in this thread: a message and its answer cost 30 to 60 us, and
 * the work should take ten times that.
 */
const SMALLEST_TASK = 64 << 10;

/**
 * Buffers in which workers assemble bands: shared if possible. A transferred buffer counts as new memory for
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

/** The encoded values of a band, or where workers find them. */
type Sent = Pick<BandMessage, "values" | "file">;

/** The target of a band's elements. */
interface Into {
  readonly selection: readonly DimensionSelection[];
  readonly window: ResultWindow;
  readonly locate: (chunk: ChunkProjection) => ChunkLocation;
}

interface PlacedBand {
  readonly level: number;
  readonly band: Band;
  readonly byteLength: number;
  readonly memory: TransferableMemory;
}

class Reader implements RemoteReader {
  readonly #queue: WorkerQueue;
  readonly #known: KnownArray;
  readonly #array: ArrayForWorkers;
  readonly #signal: AbortSignal;
  readonly #levels: ReadonlyMap<Pipeline, number>;
  readonly #itemSize: number;
  readonly #plans: ReturnType<typeof movePlans>;
  readonly #running = new Set<Promise<unknown>>();
  /** Undefined once workers could not read a file. */
  #files: ValueFiles | undefined;

  constructor(queue: WorkerQueue, known: KnownArray, array: ArrayForWorkers, signal: AbortSignal) {
    this.#queue = queue;
    this.#known = known;
    this.#array = array;
    this.#signal = signal;
    this.#levels = levelsOf(array.pipeline);
    this.#itemSize = array.fillPattern.length;
    this.#plans = movePlans(this.#itemSize);
    this.#files = wayOf(array.store, "files");
  }

  get readsFiles(): boolean {
    return this.#files !== undefined;
  }

  open(from: Pipeline, band: Band): RemoteBand | undefined {
    const level = this.#levels.get(from);
    const byteLength = from.byteLength * band.chunks.length;
    if (level === undefined || byteLength < SMALLEST_TASK) return undefined;
    return new BandOfReader(this, { level, band, byteLength, memory: new TransferableMemory() });
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running);
  }

  /** The files of a band's chunks; undefined unless workers can read all of them. */
  filesOf({ chunks }: Band): Sent | undefined {
    const paths = chunks.map(({ chunk }) => this.#files?.pathOf(this.#array.locate(chunk).key));
    const values = paths.filter((path) => path !== undefined);
    return this.readsFiles && values.length === paths.length ? { values, file: undefined } : undefined;
  }

  /** The file that holds all parts; undefined if workers cannot read it. */
  fileOf({ key, version, extents }: StoredParts): Sent | undefined {
    const path = this.#files?.pathOf(key);
    return path === undefined ? undefined : { values: extents, file: { path, version } };
  }

  /** From now on the store reads all chunks: it can read the file, or reports why it cannot. */
  stopReadingFiles(): void {
    this.#files = undefined;
  }

  /**
   * Lets a worker assemble a band. @returns false when the worker could not read the files
   * @throws the error of a chunk; the signal's reason
   */
  async send(placed: PlacedBand, sent: Sent, into: Into): Promise<boolean> {
    const { band, byteLength } = placed;
    const { window, locate } = into;
    const isShared = !(window.bytes.buffer instanceof ArrayBuffer);
    const { drawing } = window;
    const itemSize = drawing?.itemSize ?? this.#itemSize;
    const strides = isShared ? window.strides : cOrderStrides(band.shape, itemSize);
    const boxLength = product(band.shape, itemSize);
    /** The buffer in which the band is assembled unless the result is shared. */
    const own: { box?: ArrayBufferLike } = {};
    const task: Task = {
      byteLength,
      signal: this.#signal,
      message: (id) => {
        const values = sent.values.map((value) =>
          value instanceof Uint8Array ? placed.memory.hold(value) : value,
        );
        if (!isShared) own.box = (boxes ?? transferable).take(boxLength);
        const { box } = own;
        const inBox = box && {
          bytes: new Uint8Array(box, 0, boxLength),
          offset: -offsetOf(band.start, strides),
          strides,
          fresh: false,
        };
        const message = this.#messageOf(id, placed, { ...sent, values }, into, inBox ?? pick(window));
        const { buffers } = placed.memory;
        return { message, transfer: box instanceof ArrayBuffer ? [...buffers, box] : buffers };
      },
    };
    const { returned, reads, found, failure } = await this.#run(task, isShared);
    try {
      this.#measured(reads);
      if (failure?.tag === UNREAD) return false;
      if (failure !== undefined) {
        const chunk = band.chunks[failure.position];
        throw toError(failure, chunk && locate(chunk));
      }
      this.#signal.throwIfAborted();
      for (const [i, chunk] of found.entries())
        drawing?.add(window.offset + offsetOf(chunkBox(at(band.chunks, i)).start, window.strides), chunk);
      // A transferred buffer comes back as another object, the last one in `returned`.
      const filled = own.box instanceof ArrayBuffer ? returned.at(-1) : own.box;
      if (filled === undefined) return true;
      const target = window.offset + offsetOf(band.start, window.strides);
      const plans = drawing ? movePlans(itemSize) : this.#plans;
      const plan = plans.plan(band.shape, window.strides, strides);
      copyRows(plan, window.bytes, target, new Uint8Array(filled, 0, boxLength), 0);
      return true;
    } finally {
      for (const buffer of returned) transferable.give(buffer);
      if (own.box !== undefined && !(own.box instanceof ArrayBuffer)) boxes?.give(own.box);
    }
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

  #messageOf(
    id: number,
    { level, band }: PlacedBand,
    { values, file }: Sent,
    { selection, window: { drawing } }: Into,
    window: BandMessage["window"],
  ): BandMessage {
    return {
      type: "band",
      id,
      array: this.#known.number,
      level,
      start: band.start,
      shape: band.shape,
      steps: selection.map(({ step }) => step),
      projections: projectionsOf(band.chunks),
      values,
      file,
      window,
      conversion: drawing?.conversion,
    };
  }

  /** Tells the store how long reads took. @param reads pairs of a time and a length */
  #measured(reads: Answer["reads"]): void {
    for (let i = 0; i + 1 < reads.length; i += 2) this.#files?.measured(at(reads, i), at(reads, i + 1));
  }
}

class BandOfReader implements RemoteBand {
  readonly #reader: Reader;
  readonly #placed: PlacedBand;
  readonly allocate: RemoteBand["allocate"];
  /** Whether no worker has written a part of the window. */
  #isUntouched = true;

  constructor(reader: Reader, placed: PlacedBand) {
    this.#reader = reader;
    this.#placed = placed;
    this.allocate = placed.memory.allocate;
  }

  read(selection: Into["selection"], window: ResultWindow, locate: Into["locate"]): Promise<boolean> {
    return this.#read(this.#reader.filesOf(this.#placed.band), { selection, window, locate });
  }

  readParts(
    value: StoredParts,
    selection: Into["selection"],
    window: ResultWindow,
    locate: Into["locate"],
  ): Promise<boolean> {
    return this.#read(this.#reader.fileOf(value), { selection, window, locate });
  }

  async assemble(
    values: readonly (Uint8Array | undefined)[],
    selection: Into["selection"],
    window: ResultWindow,
    locate: Into["locate"],
  ): Promise<void> {
    const fresh = window.fresh && this.#isUntouched;
    const into = { selection, window: { ...window, fresh }, locate };
    await this.#reader.send(this.#placed, { values, file: undefined }, into);
  }

  async #read(from: Sent | undefined, into: Into): Promise<boolean> {
    if (from === undefined) return false;
    if (await this.#reader.send(this.#placed, from, into)) return true;
    this.#reader.stopReadingFiles();
    this.#isUntouched = false;
    return false;
  }
}

/** The members of a window that can be posted: functions cannot. */
function pick({ bytes, offset, strides, fresh }: ResultWindow): BandMessage["window"] {
  return { bytes, offset, strides, fresh };
}

function projectionsOf(chunks: readonly ChunkProjection[]): Float64Array {
  return Float64Array.from(
    chunks.flatMap(({ parts }) =>
      parts.flatMap(({ chunk, source, count, target }) => [chunk, source, count, target]),
    ),
  );
}
