/** What runs in a worker: the same pipelines as in the calling thread, made of the array's metadata. */
import type { Pipeline } from "../codecs/codec.js";
import { loadForWriting } from "../codecs/load-for-writing.js";
import { preparePipeline } from "../codecs/pipeline.js";
import { withAllDataTypes } from "../data-types/registry.js";
import { isZarrError } from "../errors.js";
import type { Kernels } from "../kernels/kernels.js";
import { loadKernels, setKernels, setWasm } from "../kernels/load.js";
import { parseJson } from "../metadata/json-parser.js";
import { parseV2Array } from "../metadata/v2.js";
import { parseV3 } from "../metadata/v3.js";
import { loadBuiltin } from "../node-builtin.js";
import type { Answer, ArrayMessage, ChunkMessage, Failure, Request } from "./messages.js";

/** Pipelines of each array, by level. */
const arrays = new Map<number, readonly Pipeline[]>();

async function prepare({ array, zarrFormat, document }: ArrayMessage): Promise<void> {
  const json = parseJson(document);
  const metadata = await withAllDataTypes(() => (zarrFormat === 3 ? parseV3(json) : parseV2Array(json)));
  if (metadata.nodeType !== "array") throw new Error("expected the metadata of an array");
  const pipelines: Pipeline[] = [];
  let next: Pipeline | undefined = await preparePipeline(metadata, await loadKernels());
  for (; next !== undefined; next = next.sharding?.inner) pipelines.push(next);
  arrays.set(array, pipelines);
}

async function run({ type, array, level, bytes, key, chunk }: ChunkMessage): Promise<Uint8Array> {
  const pipeline = arrays.get(array)?.[level];
  if (pipeline === undefined) throw new Error("a chunk of an array that was not introduced");
  const kernels = await loadKernels();
  const at = { key, chunk };
  if (type === "decode") {
    const ahead = await pipeline.decodeAhead(bytes, kernels, at);
    begin(kernels, pipeline, ahead.length);
    return owned(pipeline.decode(ahead, kernels, at));
  }
  begin(kernels, pipeline, bytes.length);
  await loadForWriting(kernels);
  return owned(await pipeline.encodeRest(pipeline.encode(bytes, kernels, at).slice(), kernels, at));
}

function begin(kernels: Kernels, pipeline: Pipeline, inputLength: number): void {
  kernels.begin(inputLength + 2 * pipeline.byteLength + pipeline.scratchByteLength + 65536);
}

/** Memory that can be transferred: not the arena's, and nobody else's in part. */
function owned(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

async function answer(request: ArrayMessage | ChunkMessage): Promise<Answer> {
  const { id } = request;
  try {
    if (request.type !== "array") return { id, bytes: await run(request) };
    await prepare(request);
    return { id };
  } catch (error) {
    return { id, failure: describe(error) };
  }
}

function describe(error: unknown): Failure {
  if (isZarrError(error))
    return { tag: error.tag, reason: error.reason, codec: error.codec, offset: error.offset };
  return {
    tag: "Error",
    reason: error instanceof Error ? error.message : String(error),
    codec: undefined,
    offset: undefined,
  };
}

interface Port {
  postMessage(message: Answer, transfer: ArrayBuffer[]): void;
}

async function receive(port: Port, request: Request): Promise<void> {
  if (request.type === "modules") {
    for (const [name, module] of request.modules) setWasm(module, name);
    if (request.javascript) setKernels("javascript");
    return;
  }
  const message = await answer(request);
  const buffer = "bytes" in message ? message.bytes?.buffer : undefined;
  port.postMessage(message, buffer instanceof ArrayBuffer ? [buffer] : []);
}

interface NodePort extends Port {
  on(event: "message", listener: (request: Request) => void): void;
}

if (typeof self !== "undefined" && typeof self.postMessage === "function") {
  // At once: what is posted before there is a listener is lost in a browser.
  const port: Port = { postMessage: (message, transfer) => self.postMessage(message, { transfer }) };
  self.addEventListener("message", ({ data }: MessageEvent<Request>) => receive(port, data));
} else {
  const threads = await loadBuiltin<{ parentPort: NodePort | null }>("node:worker_threads");
  const port = threads?.parentPort;
  port?.on("message", (request) => receive(port, request));
}
