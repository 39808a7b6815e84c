/** Reads whose blocks are placed by workers. */
import { Stop } from "../../base/abort.js";
import type { Drawing } from "./placing/statistics.js";
import type { Block, ChunkSource, CoreArray, Encoded, Placer } from "./ports.js";
import { wholeLineOf, withSource } from "./prepare.js";
import type { Planned } from "./prepared.js";
import { read } from "./read.js";
import { ReadRequests } from "./requests.js";
import { checkWorkers, LostWork, type RemoteBlock, type RemoteReader } from "./shared/chunk-workers.js";
import { HELD_FOR_READ } from "./shared/held-bytes.js";
import { sourceOver } from "./sources.js";

/**
 * @param local places the blocks that are too little work for a message
 * @param drawing what elements are converted to, if they are
 */
export async function readElsewhere(
  planned: Planned,
  local: Placer,
  drawing: Drawing | undefined,
): Promise<void> {
  const { array, line, plan, options, done } = planned;
  const { workers, ...others } = options;
  if (workers !== undefined) checkWorkers(workers);
  const stop = new Stop(options.signal);
  try {
    const remote = await workers?.reader(array, stop.signal());
    if (remote === undefined) {
      await read(line, plan, local, others, done);
      return;
    }
    const own = { ...others, signal: stop.signal() };
    try {
      const requests = new ReadRequests(own, { requestBytes: plan.requestBytes, held: HELD_FOR_READ });
      const whole = wholeLineOf(array);
      const placer = new RemotePlacer(remote, whole, planned, local, requests, drawing);
      await read(withSource(whole, placer.source), plan, placer, own, done);
    } catch (error) {
      stop.abort(error);
      // The caller may use the memory of `out` again, so no worker may write to it any more.
      await remote.settled();
      // The worker may have died of what it did.
      if (!(error instanceof LostWork)) throw error;
      await read(line, plan, onceMore(local), others, done);
    }
  } finally {
    stop.end();
  }
}

/** A placer for memory in which something was placed before. */
function onceMore(placer: Placer): Placer {
  return {
    room: (block) => placer.room(block),
    place: (block, encoded, first) => placer.place(block, encoded, first, false),
  };
}

class RemotePlacer implements Placer {
  readonly #remote: RemoteReader;
  readonly #line: CoreArray;
  readonly #planned: Planned;
  readonly #local: Placer;
  readonly #requests: ReadRequests;
  readonly #drawing: Drawing | undefined;
  /** Whether workers read the values of the store themselves. */
  readonly #isUnread: boolean;

  constructor(
    remote: RemoteReader,
    line: CoreArray,
    planned: Planned,
    local: Placer,
    requests: ReadRequests,
    drawing: Drawing | undefined,
  ) {
    this.#remote = remote;
    this.#line = line;
    this.#planned = planned;
    this.#local = local;
    this.#requests = requests;
    this.#drawing = drawing;
    this.#isUnread = remote.readsFiles && planned.array.pipeline.sharding === undefined;
  }

  /** Answers later, with bytes that workers may keep; with none where workers read the values themselves. */
  get source(): ChunkSource {
    const { source } = this.#line;
    return sourceOver(source, async (wanted, requests) =>
      this.#isUnread ? wanted.map(() => undefined) : source.chunks(wanted, requests),
    );
  }

  room(block: Block): number {
    return this.#local.room(block);
  }

  async place(block: Block, encoded: readonly Encoded[], first: number, isBlank: boolean): Promise<void> {
    const { pipeline, source } = this.#line;
    const { target } = this.#planned;
    const { pieces } = block;
    const isTask = this.#remote.takes(pipeline, block);
    const into = { ...target, isBlank: isBlank && target.isBlank };
    const locate: RemoteBlock["locate"] = (chunk) => source.locate(chunk);
    if (isTask && this.#isUnread && this.#remote.readsFiles) {
      if (await this.#remote.place({ pipeline, block, target: into, drawing: this.#drawing, locate })) return;
      this.#remote.stopReadingFiles();
      into.isBlank = false;
    }
    const values = this.#isUnread
      ? await source.chunks(pieces, this.#requests)
      : encoded.slice(first, first + pieces.length);
    this.#requests.check();
    if (!isTask || !values.some(Boolean)) await this.#local.place(block, values, 0, into.isBlank);
    else await this.#remote.place({ pipeline, block, target: into, drawing: this.#drawing, locate, values });
  }
}
