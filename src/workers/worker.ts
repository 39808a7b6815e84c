/** What runs in a worker: the same pipelines as in the calling thread, made of the array's metadata. */
import type { Pipeline } from "../codecs/codec.js";
import { withLateLoads } from "../codecs/late.js";
import { loadForWriting } from "../codecs/load-for-writing.js";
import { preparePipeline } from "../codecs/pipeline.js";
import { withAllDataTypes } from "../data-types/registry.js";
import { assemblerFor } from "../engine/assembler.js";
import type { ChunkProjection } from "../engine/bands.js";
import { isZarrError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels, setKernels, setWasm } from "../kernels/load.js";
import { parseJson } from "../metadata/json-parser.js";
import { parseV2Array } from "../metadata/v2.js";
import { parseV3 } from "../metadata/v3.js";
import { loadBuiltin } from "../node-builtin.js";
import type {
  Answer,
  ArrayMessage,
  BandMessage,
  ChunkMessage,
  Failure,
  Question,
  Request,
} from "./messages.js";

interface KnownArray {
  /** By level. */
  readonly pipelines: readonly Pipeline[];
  readonly fillPattern: Uint8Array;
}
const arrays = new Map<number, KnownArray>();

/** The calling thread knows where a chunk is, and puts it into the error. */
const SOMEWHERE = { key: "", chunk: [] };
/** The chunk of a band at this position. */
const inBand = (position: number) => ({ key: "", chunk: [position] });

async function prepare(message: ArrayMessage): Promise<void> {
  for (const [name, module] of message.modules) setWasm(module, name);
  if (message.javascript) setKernels("javascript");
  const json = parseJson(message.document);
  const { zarrFormat } = message;
  const draft = zarrFormat === "draft" ? await import("../metadata/draft-v3.js") : undefined;
  const metadata = await withAllDataTypes(
    () => draft?.parseDraftArray(json) ?? (zarrFormat === 3 ? parseV3(json) : parseV2Array(json)),
  );
  if (metadata.nodeType !== "array") throw new Error("expected the metadata of an array");
  const pipelines: Pipeline[] = [];
  let next: Pipeline | undefined = await preparePipeline(metadata, await loadKernels());
  for (; next !== undefined; next = next.sharding?.inner) pipelines.push(next);
  arrays.set(message.array, { pipelines, fillPattern: message.fillPattern });
}

function find({ array, level }: ChunkMessage | BandMessage): { pipeline: Pipeline; fillPattern: Uint8Array } {
  const known = arrays.get(array);
  const pipeline = known?.pipelines[level];
  if (known === undefined || pipeline === undefined) {
    throw new Error("a chunk of an array that was not introduced");
  }
  return { pipeline, fillPattern: known.fillPattern };
}

async function runChunk(message: ChunkMessage): Promise<Uint8Array> {
  const { pipeline } = find(message);
  const { type, bytes } = message;
  const kernels = await loadKernels();
  if (type === "decode") {
    const ahead = await pipeline.decodeAhead(bytes, kernels, SOMEWHERE);
    begin(kernels, pipeline, ahead.length);
    return owned(pipeline.decode(ahead, kernels, SOMEWHERE), bytes);
  }
  await loadForWriting(kernels);
  begin(kernels, pipeline, bytes.length);
  const encoded = pipeline.encode(bytes, kernels, SOMEWHERE);
  return owned(
    pipeline.asynchronous ? await pipeline.encodeRest(encoded.slice(), kernels, SOMEWHERE) : encoded,
    bytes,
  );
}

function begin(kernels: Kernels, pipeline: Pipeline, inputLength: number): void {
  kernels.begin(inputLength + 2 * pipeline.byteLength + pipeline.scratchByteLength + 65536);
}

/** Memory that can be handed over: not the arena's, nor the input's, nor anybody else's in part. */
function owned(bytes: Uint8Array, input: Uint8Array): Uint8Array {
  const isOwn = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer !== input.buffer;
  return isOwn ? bytes : bytes.slice();
}

async function runBand(message: BandMessage, reached: (position: number) => void): Promise<void> {
  const { pipeline, fillPattern } = find(message);
  const kernels = await loadKernels();
  const { values, start, shape, steps, window } = message;
  const ahead = [...values];
  if (pipeline.asynchronous) {
    for (const [i, value] of values.entries()) {
      reached(i);
      if (value !== undefined) ahead[i] = await pipeline.decodeAhead(value, kernels, inBand(i));
    }
  }
  // Of the selection nothing but the steps is looked at.
  const selection = steps.map((step) => ({ start: 0, step, count: 0, drop: false }));
  const chunks = projectionsOf(message);
  const assemble = pipeline.outermost?.codec.loadPairs
    ? (await import("../engine/pairs.js")).inPairs
    : assemblerFor;
  const assembler = await assemble({ pipeline, kernels, fillPattern }, selection, window);
  const open = assembler.open({ start, shape, chunks });
  for (const [i, chunk] of chunks.entries()) {
    reached(i);
    assembler.place(open, chunk, ahead[i], inBand(i));
  }
  assembler.close(open);
}

function projectionsOf({ projections, values, steps }: BandMessage): ChunkProjection[] {
  const rank = steps.length;
  return values.map((_, i) => {
    const parts = steps.map((_, d) => {
      const [chunk = 0, source = 0, count = 0, target = 0] = projections.subarray((i * rank + d) * 4);
      return { chunk, source, count, target };
    });
    return { chunk: parts.map(({ chunk }) => chunk), parts, whole: false };
  });
}

async function answer(request: Question): Promise<Answer> {
  const { id } = request;
  const returned = buffersOf(request);
  let position = 0;
  const reached = (at: number): void => {
    position = at;
  };
  let bytes: Uint8Array | undefined;
  try {
    if (request.type === "array") await prepare(request);
    else if (request.type === "band")
      await withLateLoads(await loadKernels(), () => runBand(request, reached));
    else bytes = await withLateLoads(await loadKernels(), () => runChunk(request));
    return { id, failure: undefined, bytes, returned };
  } catch (error) {
    return { id, failure: describe(error, position), bytes: undefined, returned };
  }
}

/** What the calling thread handed over, and gets back to use again. */
function buffersOf(request: Question): ArrayBuffer[] {
  if (request.type === "array") return [];
  const views = request.type === "band" ? [...request.values, request.window.bytes] : [request.bytes];
  const buffers = new Set<ArrayBuffer>();
  for (const view of views) if (view?.buffer instanceof ArrayBuffer) buffers.add(view.buffer);
  return [...buffers];
}

function describe(error: unknown, position: number): Failure {
  if (isZarrError(error)) {
    const { tag, reason, codec, offset, chunk } = error;
    // Of two chunks that are decoded together the first may have failed.
    return { tag, reason, codec, offset, position: chunk?.[0] ?? position };
  }
  const reason = error instanceof Error ? error.message : String(error);
  return { tag: "Error", reason, codec: undefined, offset: undefined, position };
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
  const own = message.bytes?.buffer;
  port.postMessage(message, own instanceof ArrayBuffer ? [...message.returned, own] : [...message.returned]);
}

/** One request after the other: an array is known before its first chunk, and nothing held in the arena meets another request. */
function listener(port: Port): (request: Request) => void {
  let last = Promise.resolve();
  return (request) => {
    last = last.then(() => receive(port, request));
  };
}

interface NodePort extends Port {
  on(event: "message", listener: (request: Request) => void): void;
}

if (typeof self !== "undefined" && typeof self.postMessage === "function") {
  // At once: what is posted before there is a listener is lost in a browser.
  const take = listener({
    postMessage: (message, transfer) => self.postMessage(message, { transfer }),
    close: () => self.close(),
  });
  self.addEventListener("message", ({ data }: MessageEvent<Request>) => take(data));
} else {
  // Not awaited here: bundlers put workers into scripts that are no modules. Node keeps what is posted until somebody listens.
  loadBuiltin<{ parentPort: NodePort | null }>("node:worker_threads").then((threads) => {
    const port = threads?.parentPort;
    if (port != null) port.on("message", listener(port));
  });
}
