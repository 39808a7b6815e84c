/**
 * The loop of every read: takes the bands of a plan, gets the bytes of their chunks from a source, and has
 * the assembler put them into the result. The sources are the values of a store (store-chunks.ts), the inner
 * chunks of one shard (shards/inner-chunks.ts), and those of several shards that are open at once
 * (shards/open-shards.ts).
 *
 * While a source answers at once (memory, a warm file system), chunks are read, decoded and assembled one
 * after the other without promises. Otherwise several bands are under way, and each is assembled when its
 * chunks have arrived.
 */
import { noItem } from "../base/at.js";
import { dueTurn, nextTurn } from "../base/turns.js";
import type { ChunkLocation, Pipeline } from "../core/codecs/pipeline.js";
import type { Allocate } from "../core/stores/store.js";
import type { DimensionSelection } from "../grid/selection.js";
import type { Kernels } from "../kernels/kernels.js";
import { type Assembler, assembleBand, type ChunkValue, placeChunk, type ResultWindow } from "./assembler.js";
import {
  type Band,
  type BandPlan,
  type ChunkProjection,
  chunkBand,
  eachBand,
  placeToSplit,
  splitBand,
} from "./bands.js";
import { type Lease, withLease } from "./buffers.js";
import type { RemoteBand, RemoteReader } from "./chunk-workers.js";
import { settleAll } from "./concurrency.js";

/** Gives the bytes of chunks: encoded, or after the asynchronous decoders. */
export interface ChunkSource<At extends ChunkLocation = ChunkLocation> {
  locate(chunk: ChunkProjection): At;
  /** Begins a band whose chunks are probably there at once; undefined if they are not. */
  openNow?(band: Band): OpenChunks<At> | undefined;
  /** For chunks that are not there at once; undefined if `openNow` gives all of them. */
  readonly later?: LaterChunks | undefined;
  /** Whether chunks may be read into memory that is used again. Not if the result keeps it. */
  readonly isLending: boolean;
}

/** Chunks that arrive later. */
export interface LaterChunks {
  /** Requests the chunks of bands. @returns by band, the bytes of its chunks */
  request(bands: readonly Band[], how: RequestOptions): Promise<readonly (readonly ChunkValue[])[]>;
  /** Has a worker read and assemble a band. Resolves with false if the worker cannot read it. */
  readByWorker(band: Band, worker: RemoteBand, target: ReadTarget): Promise<boolean>;
  /**
   * Bands whose chunks have at most this many bytes together are requested together; -1 to request each band
   * by itself.
   */
  readonly batchBytes: number;
  /** Encoded bytes of the chunks of a band, for `batchBytes`. */
  byteLengthOf(band: Band): number;
}

/** A band under way in a source that answers at once. */
export interface OpenChunks<At extends ChunkLocation = ChunkLocation> {
  /** Reads a chunk into memory from `allocate`; "later" if the source has stopped answering at once. */
  read(chunk: ChunkProjection, at: At, allocate: Allocate): ChunkValue | "later";
  /** Called after the last chunk, and after a failure. */
  close(): void;
}

export interface RequestOptions {
  /** Memory for the bytes; undefined if the result keeps it. */
  readonly lease: Lease | undefined;
  /** Workers that decode bands. */
  readonly workers: ReadonlyMap<Band, RemoteBand>;
}

/** The target of a read, and the thread that decodes. */
export interface ReadTarget {
  readonly assembler: Assembler;
  readonly selection: readonly DimensionSelection[];
  readonly window: ResultWindow;
  readonly pipeline: Pipeline;
  readonly kernels: Kernels;
  readonly remote?: RemoteReader | undefined;
  /** @throws the reason of the abort, if the read is aborted */
  readonly check: () => void;
}

/** One read; its loops share it. */
interface Run<At extends ChunkLocation> {
  readonly source: ChunkSource<At>;
  readonly target: ReadTarget;
}

/**
 * Returns a function that starts a loop. The loops take bands of the plan from each other. After a failure of
 * one loop, the others take no more bands.
 * @param done called with each band that is in the result
 */
export function bandLoops<At extends ChunkLocation>(
  plan: BandPlan,
  source: ChunkSource<At>,
  target: ReadTarget,
  done: (band: Band) => void = () => {},
): () => Promise<void> {
  const run: Run<At> = { source, target };
  const bands = eachBand(plan);
  let isFirst = true;

  const lent = (work: (lease: Lease | undefined) => Promise<unknown>): Promise<unknown> =>
    source.isLending ? withLease(work) : work(undefined);

  async function flush(batch: readonly Band[]): Promise<void> {
    await lent((lease) => readLater(run, batch, lease));
    batch.forEach(done);
  }

  return async () => {
    const mustYield = target.remote && !isFirst;
    isFirst = false;
    // A source that answers at once must not read ahead of workers that have nothing to do yet.
    if (mustYield) await nextTurn();
    // An aborted read of zero chunks rejects too.
    target.check();
    let batch: Band[] = [];
    let held = 0;
    for (const band of bands) {
      target.check();
      const rest = readNow(run, band);
      if (rest !== "later") {
        if (rest !== undefined) await lent(rest);
        done(band);
        // Also after `rest`: the promises of a store may settle without the event loop.
        for (let turn = dueTurn(); turn; turn = dueTurn()) await turn;
        continue;
      }
      const later = laterOf(source);
      const byteLength = later.byteLengthOf(band);
      batch.push(band);
      held += byteLength;
      // Assumes that the next band is as long as this one.
      if (held + byteLength <= later.batchBytes) continue;
      await flush(batch);
      batch = [];
      held = 0;
      // Not within a batch: other loops would take its next bands, and what is requested together are
      // neighbours.
      for (let turn = dueTurn(); turn; turn = dueTurn()) await turn;
    }
    if (batch.length > 0) await flush(batch);
  };
}

function laterOf({ later }: Pick<ChunkSource, "later">): LaterChunks {
  // Impossible: a source without it answers at once.
  if (later === undefined) throw new Error("later");
  return later;
}

/** Reads what is left of a band, perhaps into memory of a lease. */
type Rest = (lease: Lease | undefined) => Promise<unknown>;

/**
 * Reads a band while the source answers at once. @returns undefined if the band is done, "later" if the
 * source answered nothing, or a function that reads the rest
 */
function readNow<At extends ChunkLocation>(run: Run<At>, band: Band): Rest | "later" | undefined {
  const { source } = run;
  const { assembler, kernels, window, check } = run.target;
  const now = source.openNow?.(band);
  if (now === undefined) return "later";
  const allocate = window.allocate ?? kernels.allocate;
  try {
    return assembler.within(band, (open): Rest | "later" | undefined => {
      let end: number | undefined;
      for (const [done, chunk] of band.chunks.entries()) {
        // After every second chunk, because some codecs decode two at once.
        if (done > 0 && (done % 2 === 0 || done === end)) {
          check();
          const turn = dueTurn();
          if (turn) end ??= placeToSplit(band, done);
          if (turn && end === done) {
            // Other code may use the arena meanwhile, so what is finished moves to the result. What is left
            // is bands again.
            const { before, after } = splitBand(band, done);
            assembler.moveChunks(open, before);
            return (lease) => turn.then(() => readInTurns(run, after, lease));
          }
        }
        const at = source.locate(chunk);
        const mark = kernels.mark();
        const value = now.read(chunk, at, allocate);
        if (value === "later") {
          if (done === 0) return "later";
          assembler.moveChunks(open, splitBand(band, done).before);
          const left = band.chunks.slice(done);
          return (lease) => Promise.all(left.map((one) => readLater(run, [chunkBand(one)], lease)));
        }
        placeChunk(assembler, open, chunk, value, at, mark);
      }
      assembler.close(open);
      return undefined;
    });
  } finally {
    now.close();
  }
}

/** Reads bands one after the other. The event loop gets turns between them, and within each. */
async function readInTurns<At extends ChunkLocation>(
  run: Run<At>,
  bands: readonly Band[],
  lease: Lease | undefined,
): Promise<void> {
  for (const band of bands) {
    run.target.check();
    const rest = readNow(run, band);
    if (rest === "later") await readLater(run, [band], lease);
    else await rest?.(lease);
    await dueTurn();
  }
}

/** Requests the chunks of bands and assembles the bands when they have arrived, here or in workers. */
async function readLater<At extends ChunkLocation>(
  { source, target }: Run<At>,
  bands: readonly Band[],
  lease: Lease | undefined,
): Promise<void> {
  const { assembler, kernels, pipeline, remote, selection, window, check } = target;
  const later = laterOf(source);
  const locate = (chunk: ChunkProjection): At => source.locate(chunk);
  const workers = new Map<Band, RemoteBand>();
  let left = bands;
  if (remote) {
    for (const band of bands) {
      const worker = remote.open(pipeline, band);
      if (worker) workers.set(band, worker);
    }
    // After a failure of one, the others may still write to the result: a read that is repeated begins when
    // they have ended.
    const isRead = await settleAll(
      bands.map(async (band) => {
        const worker = workers.get(band);
        return worker ? later.readByWorker(band, worker, target) : false;
      }),
    );
    left = bands.filter((_, i) => !isRead[i]);
    if (left.length === 0) return;
  }
  const values = await later.request(left, { lease, workers });
  check();
  const pending: Promise<void>[] = [];
  try {
    for (const [i, band] of left.entries()) {
      // Before each band, and again after a turn: loops whose values arrive together go on together, and each
      // band takes its time.
      for (let turn = dueTurn(); turn; turn = dueTurn()) await turn;
      check();
      const own = values[i] ?? noItem(values, i);
      const worker = workers.get(band);
      if (worker && own.some((value) => value)) {
        const assembled = worker.assemble(own, selection, window, locate);
        // Avoids an unhandled rejection during a turn.
        assembled.catch(() => {});
        pending.push(assembled);
      } else assembleBand(assembler, kernels, band, own, locate);
    }
  } finally {
    // Workers read the bytes until then.
    await settleAll(pending);
  }
}
