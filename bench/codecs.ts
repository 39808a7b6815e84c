/**
 * Decodes chunks of 4 MiB with this package (WASM, fallback), other JavaScript libraries, and native numcodecs (C, one thread). All decode the
 * same bytes, which native numcodecs wrote. Run by codecs-blosc.ts and codecs-zstd.ts. Needs scripts/oracles/install.sh.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { BytesToBytesCodec } from "../src/codecs/codec.js";
import { loadCodec } from "../src/codecs/registry.js";
import { loadForWriting } from "../src/codecs/writing-modules.js";
import { dataTypeFromV3 } from "../src/data-types/registry.js";
import type { Kernels } from "../src/kernels/kernels.js";
import { loadKernels, setKernels } from "../src/kernels/load.js";
import type { JsonObject } from "../src/metadata/json.js";
import { readOracles } from "../test/setup/oracles.js";
import { measure, measureAsync, median, memcpyRate, rate } from "./harness.js";
import { figure, ratio, type Section, sectionAsText, type Table } from "./section.js";

/** A JavaScript decoder of another package. */
export interface Rival {
  readonly name: string;
  readonly decode: (encoded: Uint8Array, byteLength: number) => unknown;
}

/** Codecs, as numcodecs configurations, that one table compares with the same rivals. */
export interface CodecGroup {
  readonly codecs: readonly { readonly name: string; readonly codec: JsonObject }[];
  readonly rivals: readonly Rival[];
}

const EXTENT = 1024;
/** Turns of each decoder, after one turn to warm up. */
const TURNS = 3;

/** A row of the table: GB/s of decoded bytes. */
interface CodecResult {
  readonly name: string;
  /** Compression ratio: decoded bytes divided by encoded bytes. */
  readonly compression: number;
  /** Decoding into the arena, without the copy to the result. */
  readonly wasm: number;
  /** The same with the copy into an ordinary array. */
  readonly wasmCopied: number;
  readonly fallback: number;
  /** Rivals in the order of the group. */
  readonly rivals: readonly number[];
  readonly native: number;
  readonly wasmEncode: number;
  readonly nativeEncode: number;
}

interface Data {
  readonly name: string;
  readonly dtype: string;
  readonly bytes: Uint8Array;
}

function gaussian(): () => number {
  let state = 12345;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 1) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Temperatures: a smooth field with noise, in steps of 1/128 as from an instrument, or without steps. */
function field(step: number): Float32Array {
  const noise = gaussian();
  return Float32Array.from({ length: EXTENT * EXTENT }, (_, i) => {
    const value =
      280 + 20 * Math.sin((i % EXTENT) / 97) * Math.cos(Math.floor(i / EXTENT) / 61) + 0.05 * noise();
    return step === 0 ? value : Math.round(value / step) * step;
  });
}

/** Bright spots on a noisy background. */
function image(): Uint16Array {
  const noise = gaussian();
  return Uint16Array.from({ length: 2 * EXTENT * EXTENT }, (_, i) => {
    const x = (i % 128) - 64;
    const y = (Math.floor(i / EXTENT) % 128) - 64;
    return 230 + 3000 * Math.exp(-(x * x + y * y) / 900) + 5.5 * noise();
  });
}

const bytesOf = (array: Float32Array | Uint16Array) =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
const DATA: readonly Data[] = [
  { name: "float32", dtype: "<f4", bytes: bytesOf(field(0)) },
  { name: "float32 in 1/128", dtype: "<f4", bytes: bytesOf(field(1 / 128)) },
  { name: "uint16 image", dtype: "<u2", bytes: bytesOf(image()) },
];

interface NativeAnswer {
  readonly encoded: string;
  readonly decode: number;
  readonly encode: number;
}

async function benchGroup({ codecs, rivals }: CodecGroup, python: string): Promise<CodecResult[]> {
  setKernels("wasm");
  const wasm = await loadKernels();
  setKernels("javascript");
  const javascript = await loadKernels();
  setKernels("auto");
  const folder = mkdtempSync(join(tmpdir(), "codecs-"));
  try {
    const cases = DATA.flatMap((data) => codecs.map((codec) => ({ ...codec, data })));
    for (const { name, bytes } of DATA) writeFileSync(join(folder, basename(name)), bytes);
    const requests = cases.map(({ codec, data }) => ({
      codec,
      dtype: data.dtype,
      data: join(folder, basename(data.name)),
    }));
    const answers: readonly NativeAnswer[] = JSON.parse(
      execFileSync(python, ["bench/numcodecs_bench.py"], {
        input: JSON.stringify(requests),
        encoding: "utf8",
      }),
    );
    const results: CodecResult[] = [];
    for (const [i, { name, codec, data }] of cases.entries()) {
      const native = answers[i];
      if (native === undefined) throw new Error("expected an answer for every case");
      const encoded = new Uint8Array(readFileSync(native.encoded));
      results.push({
        name: `${name}, ${data.name}`,
        compression: data.bytes.length / encoded.length,
        ...(await measureWasm(wasm, codec, encoded, data)),
        fallback: rate(
          data.bytes.length,
          measure([0], await decoder(javascript, codec, encoded, data, false)),
        ),
        ...(await measureRivals(
          await decoder(wasm, codec, encoded, data, true),
          rivals,
          encoded,
          data.bytes.length,
        )),
        native: rate(data.bytes.length, native.decode),
        nativeEncode: rate(data.bytes.length, native.encode),
      });
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function prepare(
  kernels: Kernels,
  { id, ...configuration }: JsonObject,
  dtype: string,
): Promise<BytesToBytesCodec> {
  const entry = await loadCodec(String(id));
  if (entry.kind === undefined) throw new Error("expected a codec of the package");
  await entry.load?.(kernels, configuration);
  await loadForWriting(kernels);
  const dataType = dataTypeFromV3(dtype === "<f4" ? "float32" : "uint16");
  const codec = entry.fromConfig(configuration, { shape: [1], dataType, fillValue: 0 });
  if (codec.kind === "array_to_array" || codec.kind === "array_to_bytes")
    throw new Error("expected bytes to bytes");
  return codec;
}

async function measureWasm(kernels: Kernels, codec: JsonObject, encoded: Uint8Array, { bytes, dtype }: Data) {
  const writer = await prepare(kernels, codec, dtype);
  const encode = () => {
    kernels.begin(3 * bytes.length + 2 ** 20);
    return writer.encode(bytes, { kernels });
  };
  const decode = await decoder(kernels, codec, encoded, { bytes }, false);
  return {
    wasm: rate(bytes.length, measure([0], decode)),
    wasmEncode: rate(bytes.length, measure([0], encode)),
  };
}

/** @param encoded bytes in ordinary memory, as a store returns them */
async function decoder(
  kernels: Kernels,
  configuration: JsonObject,
  encoded: Uint8Array,
  { bytes: { length: byteLength } }: Pick<Data, "bytes">,
  copied: boolean,
): Promise<() => unknown> {
  const codec = await prepare(kernels, configuration, "<f4");
  const out = new Uint8Array(byteLength).fill(1);
  return () => {
    kernels.begin(3 * byteLength + 2 ** 16);
    const decoded = codec.decode(encoded, { kernels, byteLength, maximumByteLength: byteLength });
    if (copied && decoded instanceof Uint8Array) out.set(decoded);
    return decoded;
  };
}

/**
 * Takes the median of alternating turns: if decoders ran one after the other, a burst of a neighbour on the host would hit only one. The
 * first turn warms up: engines compile WebAssembly a second time while it runs, which takes tens of calls.
 */
async function measureRivals(
  decode: () => unknown,
  rivals: readonly Rival[],
  encoded: Uint8Array,
  byteLength: number,
): Promise<{ readonly wasmCopied: number; readonly rivals: readonly number[] }> {
  const runs = [decode, ...rivals.map((rival) => () => rival.decode(encoded, byteLength))];
  const seconds = runs.map((): number[] => []);
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const [i, run] of runs.entries()) {
      const time = await measureAsync(async () => run());
      if (turn > 0) seconds[i]?.push(time);
    }
  }
  const [wasmCopied = 0, ...others] = seconds.map((times) => rate(byteLength, median(times)));
  return { wasmCopied, rivals: others };
}

function groupTable({ rivals }: CodecGroup, results: readonly CodecResult[]): Table {
  return {
    header: [
      "GB/s of decoded bytes",
      "compressed",
      "decode",
      "+ copy out",
      "fallback",
      ...rivals.flatMap(({ name }) => [name, "x"]),
      "native",
      "x",
      "encode",
      "native",
    ],
    rows: results.map((r) => [
      r.name,
      ...[r.compression, r.wasm, r.wasmCopied, r.fallback].map(figure),
      ...[...r.rivals, r.native].flatMap((rival) => [figure(rival), ratio(r.wasmCopied, rival)]),
      figure(r.wasmEncode),
      figure(r.nativeEncode),
    ]),
  };
}

/** @returns undefined without native numcodecs, which writes the encoded bytes */
export async function benchCodecs(groups: readonly CodecGroup[]): Promise<Section | undefined> {
  const { python } = readOracles();
  if (python?.numcodecs == null) return undefined;
  const tables: Table[] = [];
  for (const group of groups) tables.push(groupTable(group, await benchGroup(group, python.executable)));
  return {
    title: "Codecs",
    text: `One chunk of 4 MiB, encoded by native numcodecs (C, one thread): float32 with noise in every bit, the same in steps of 1/128 as instruments give them, and a uint16 image. "+ copy out" is
decoded and copied into an ordinary array, and what the rivals are compared with. Those take ${TURNS} turns after one that warms up; others are measured one after the other. Where the compressor found nothing and stored the bytes as they are, decoding only points at them: such a "decode" is no speed. memcpy of the same size: ${memcpyRate(4 * EXTENT * EXTENT).toFixed(1)} GB/s.`,
    tables,
    charts: [],
  };
}

/** Entry of codecs-blosc.ts and codecs-zstd.ts when they run on their own. */
export async function printCodecs(groups: readonly CodecGroup[]): Promise<void> {
  const section = await benchCodecs(groups);
  console.log(section === undefined ? "needs scripts/oracles/install.sh" : sectionAsText(section));
}
