/**
 * What a worker does: it runs the same pipelines as the calling thread, prepared from the array's metadata.
 */

import { isZarrError } from "../base/errors.js";
import { loadBuiltin } from "../base/loading.js";
import { retryWithMissing } from "../core/codecs/modules/missing-modules.js";
import { loadForWriting } from "../core/codecs/modules/writing-modules.js";
import type { Pipeline } from "../core/codecs/pipeline.js";
import { preparePipeline } from "../core/codecs/prepare-pipeline.js";
import type { ChunkDecoder } from "../core/line/shared/chunk-decoder.js";
import { withAllDataTypes } from "../data-types/registry.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels, setKernels, setWasm } from "../kernels/load.js";
import { draftDocuments } from "../metadata/draft.js";
import { parseJson } from "../metadata/json.js";
import { parseV2Array } from "../metadata/v2.js";
import { parseV3 } from "../metadata/v3.js";
import {
  type Answer,
  type ArrayMessage,
  type BandMessage,
  type ChunksMessage,
  type Failure,
  type Question,
  type Request,
  UNREAD,
} from "./messages.js";
import { UnreadFile } from "./read-files.js";
import { runBand } from "./run-band.js";

interface KnownArray {
  /** By sharding level: the array's own pipeline first, then those of inner chunks. */
  readonly pipelines: readonly Pipeline[];
  readonly fillPattern: Uint8Array;
}
const arrays = new Map<number, KnownArray>();

/** The calling thread knows a chunk's key and indices, and adds them to errors. */
const SOMEWHERE = { key: "", chunk: [] };

async function prepare(message: ArrayMessage): Promise<void> {
  for (const [name, module] of message.modules) setWasm(module, name);
  if (message.javascript) setKernels("javascript");
  const json = parseJson(message.document);
  const { zarrFormat } = message;
  const draft = zarrFormat === "draft" ? await draftDocuments.load() : undefined;
  const metadata = await withAllDataTypes(
    () => draft?.parseDraftArray(json) ?? (zarrFormat === 3 ? parseV3(json) : parseV2Array(json)),
  );
  if (metadata.nodeType !== "array") throw new Error("internal error: not an array");
  const pipelines: Pipeline[] = [];
  let next: Pipeline | undefined = await preparePipeline(metadata, await loadKernels());
  for (; next !== undefined; next = next.sharding?.inner) pipelines.push(next);
  arrays.set(message.array, { pipelines, fillPattern: message.fillPattern });
}

async function find({ array, level }: ChunksMessage | BandMessage): Promise<ChunkDecoder> {
  const known = arrays.get(array);
  const pipeline = known?.pipelines[level];
  if (known === undefined || pipeline === undefined) {
    throw new Error("internal error: a chunk of an unknown array");
  }
  return { pipeline, kernels: await loadKernels(), fillPattern: known.fillPattern };
}

async function runChunks(message: ChunksMessage, reached: (position: number) => void): Promise<Uint8Array[]> {
  const { pipeline, kernels } = await find(message);
  const { type, chunks, inPlace } = message;
  if (type === "encode") await loadForWriting(kernels);
  const results: Uint8Array[] = [];
  for (const [i, chunk] of chunks.entries()) {
    reached(i);
    /** Puts the bytes where they stay: they may be in scratch memory. */
    const keep = (bytes: Uint8Array): Uint8Array => {
      const { buffer, byteOffset } = chunk;
      const next = chunks[i + 1];
      const end = next?.buffer === buffer ? next.byteOffset : buffer.byteLength;
      return inPlace && byteOffset + bytes.length <= end ? putInPlace(chunk, bytes) : owned(bytes, chunk);
    };
    results.push(await (type === "decode" ? decode : encode)(pipeline, kernels, chunk, keep));
  }
  return results;
}

type Keep = (bytes: Uint8Array) => Uint8Array;

async function decode(
  pipeline: Pipeline,
  kernels: Kernels,
  encoded: Uint8Array,
  keep: Keep,
): Promise<Uint8Array> {
  const decoded = pipeline.asynchronous
    ? await pipeline.asynchronous.decode(encoded, kernels, SOMEWHERE)
    : encoded;
  return kernels.within(decoded.length + pipeline.scratch(), () =>
    keep(pipeline.decode(decoded, kernels, SOMEWHERE)),
  );
}

async function encode(
  pipeline: Pipeline,
  kernels: Kernels,
  elements: Uint8Array,
  keep: Keep,
): Promise<Uint8Array> {
  const { asynchronous } = pipeline;
  const encoded = kernels.within(elements.length + pipeline.scratch(), () => {
    const bytes = pipeline.encode(elements, kernels, SOMEWHERE);
    return asynchronous ? bytes.slice() : keep(bytes);
  });
  return asynchronous ? keep(await asynchronous.encode(encoded, kernels, SOMEWHERE)) : encoded;
}

function putInPlace({ buffer, byteOffset }: Uint8Array, bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(buffer, byteOffset, bytes.length);
  copy.set(bytes);
  return copy;
}

/** Returns the bytes in a buffer of their own, which can be transferred; copies them if they are not. */
function owned(bytes: Uint8Array, { buffer }: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength && bytes.buffer !== buffer ? bytes : bytes.slice();
}

async function answer(request: Question): Promise<Answer> {
  const { id } = request;
  const returned = buffersOf(request);
  let position = 0;
  const reached = (at: number): void => {
    position = at;
  };
  let chunks: readonly Uint8Array[] = [];
  let reads: readonly number[] = [];
  let found: Answer["found"] = [];
  try {
    if (request.type === "array") await prepare(request);
    else if (request.type === "band") {
      const decoder = await find(request);
      ({ reads, found } = await retryWithMissing(decoder.kernels, () => runBand(request, decoder, reached)));
    } else chunks = await retryWithMissing(await loadKernels(), () => runChunks(request, reached));
    return { id, failure: undefined, chunks, reads, found, returned };
  } catch (error) {
    return { id, failure: describe(error, position), chunks: [], reads, found, returned };
  }
}

/** The buffers that the calling thread transferred. They are returned for reuse. */
function buffersOf(request: Question): ArrayBuffer[] {
  if (request.type === "array") return [];
  const views = request.type === "band" ? [...request.values, request.window.bytes] : request.chunks;
  const buffers = new Set<ArrayBuffer>();
  for (const view of views) {
    if (view instanceof Uint8Array && view.buffer instanceof ArrayBuffer) buffers.add(view.buffer);
  }
  return [...buffers];
}

function describe(error: unknown, position: number): Failure {
  if (isZarrError(error)) {
    const { tag, reason, codec, offset, chunk } = error;
    // `position` is the last chunk that was begun. When two chunks are decoded together, the error names the
    // one that failed.
    return { tag, reason, codec, offset, position: chunk?.[0] ?? position };
  }
  const reason = error instanceof Error ? error.message : String(error);
  const tag = error instanceof UnreadFile ? UNREAD : "Error";
  return { tag, reason, codec: undefined, offset: undefined, position };
}

interface Port {
  close(): void;
  postMessage(message: Answer, transfer: ArrayBuffer[]): void;
}

async function receive(port: Port, request: Request): Promise<void> {
  if (request.type === "forget") {
    arrays.delete(request.array);
    return;
  }
  if (request.type === "end") {
    port.close();
    return;
  }
  const message = await answer(request);
  const transfer = new Set(message.returned);
  for (const { buffer } of message.chunks) if (buffer instanceof ArrayBuffer) transfer.add(buffer);
  port.postMessage(message, [...transfer]);
}

/**
 * Runs requests one after the other, so that an array is known before its first chunk, and requests do not
 * share the arena.
 */
function listener(port: Port): (request: Request) => void {
  let last = Promise.resolve();
  return (request) => {
    last = last.then(() => receive(port, request));
  };
}

interface NodePort extends Port {
  on(event: "message", listener: (request: Request) => void): void;
}

/** Answers the messages that this thread gets, as long as it lives. */
export function listen(): void {
  if (typeof self !== "undefined" && typeof self.postMessage === "function") {
    // Add the listener synchronously: browsers drop messages that arrive before there is one.
    const take = listener({
      postMessage: (message, transfer) => self.postMessage(message, { transfer }),
      close: () => self.close(),
    });
    self.addEventListener("message", ({ data }: MessageEvent<Request>) => take(data));
  } else {
    // No top-level await: bundlers may put workers into classic scripts. Node queues messages until there is
    // a listener.
    loadBuiltin<{ parentPort: NodePort | null }>("node:worker_threads").then((threads) => {
      const port = threads?.parentPort;
      if (port != null) port.on("message", listener(port));
    });
  }
}
