/**
 * The functions of assembly/blosc.ts on byte arrays: in WASM where its module is loaded and all operands lie in the arena,
 * else the twins. Both give the same bytes and the same refusals. Decoders return a count or a negative failure
 * (decoder-result.ts); encoders a count, or 0 when the result does not fit.
 */
import type { KernelModule, Kernels } from "../../kernels/kernels.js";
import { intoArena, lazyKernelModule } from "../kernel-module.js";
import type { LzFormat } from "./formats.js";
import { bitshuffle, bitunshuffle } from "./twins/bitshuffle.js";
import { decodeBlosclz } from "./twins/blosclz-decode.js";
import { decodeLz4 } from "./twins/lz4-decode.js";
import { shuffle, unshuffle } from "./twins/shuffle.js";
import { decodeSnappy } from "./twins/snappy-decode.js";

export interface BloscKernels {
  decodeLz4(target: Uint8Array, source: Uint8Array): number;
  decodeSnappy(target: Uint8Array, source: Uint8Array): number;
  decodeBlosclz(target: Uint8Array, source: Uint8Array): number;
  /**
   * `workspace` is LZ_WORKSPACE bytes; `acceleration` >= 1 trades size for speed. With WASM, 0 also where the arena has no room for
   * the operands: the encoders' twins are not loaded then, and not compressing is always an answer.
   */
  encodeLz(
    format: LzFormat,
    target: Uint8Array,
    source: Uint8Array,
    workspace: Uint8Array,
    acceleration: number,
  ): number;
  /** `workspace` is LZ4_HIGH_WORKSPACE bytes; `depth` is how many candidates are looked at. */
  encodeLz4High(target: Uint8Array, source: Uint8Array, workspace: Uint8Array, depth: number): number;
  /** These four: target and source have equal length and do not overlap. */
  shuffle(target: Uint8Array, source: Uint8Array, typesize: number): void;
  unshuffle(target: Uint8Array, source: Uint8Array, typesize: number): void;
  /** `workspace` is as long as the source. */
  bitshuffle(target: Uint8Array, source: Uint8Array, typesize: number, workspace: Uint8Array): void;
  /** `workspace` is `bitunshuffleWorkspace(typesize)` bytes. */
  bitunshuffle(target: Uint8Array, source: Uint8Array, typesize: number, workspace: Uint8Array): void;
}

type Encoders = Pick<BloscKernels, "encodeLz" | "encodeLz4High">;

let encoders: Encoders | undefined;

const TWINS: BloscKernels = {
  decodeLz4,
  decodeSnappy,
  decodeBlosclz,
  encodeLz: (...operands) => loadedEncoders().encodeLz(...operands),
  encodeLz4High: (...operands) => loadedEncoders().encodeLz4High(...operands),
  shuffle,
  unshuffle,
  bitshuffle,
  bitunshuffle,
};

function loadedEncoders(): Encoders {
  if (encoders !== undefined) return encoders;
  throw new TypeError("expected the codec entry's load() to have been awaited before encoding");
}

const kernelModule = lazyKernelModule("blosc", () => import("../../kernels/modules/blosc.generated.js"));
const inWasm = new WeakMap<KernelModule, BloscKernels>();

/** Loads the WASM module, or the encoders' twins where there is none. */
export async function loadBloscKernels(kernels: Kernels): Promise<void> {
  const module = await kernelModule.load(kernels);
  if (module === undefined) encoders = await import("./twins/encoders.js");
}

export function bloscKernels(kernels: Kernels): BloscKernels {
  const module = kernelModule.of(kernels);
  if (module === undefined) return TWINS;
  let functions = inWasm.get(module);
  if (functions === undefined) {
    functions = wasmFunctions(module);
    inWasm.set(module, functions);
  }
  return functions;
}

/** `bytes` where the functions reach them without leaving for their twins, if they can be brought there. */
export function bloscOperand(kernels: Kernels, bytes: Uint8Array): Uint8Array {
  const module = kernelModule.of(kernels);
  return module === undefined ? bytes : intoArena(kernels, module, bytes);
}

function wasmFunctions(module: KernelModule): BloscKernels {
  const at = (bytes: Uint8Array): number => module.pointer(bytes) ?? -1;
  const find = (name: string) => {
    const found = module.exports[name];
    if (found === undefined) throw new WebAssembly.LinkError(`expected a blosc module that exports ${name}`);
    return found;
  };
  type Decode = BloscKernels["decodeLz4"];
  const decoder = (name: string, twin: Decode): Decode => {
    const decode = find(name);
    return (target, source) => {
      const to = at(target);
      const from = at(source);
      return to < 0 || from < 0 ? twin(target, source) : decode(to, target.length, from, source.length);
    };
  };
  type Filter = BloscKernels["bitshuffle"];
  const filter = (name: string, twin: Filter): Filter => {
    const run = find(name);
    return (target, source, typesize, workspace) => {
      const to = at(target);
      const from = at(source);
      const scratch = at(workspace);
      if (to < 0 || from < 0 || scratch < 0) twin(target, source, typesize, workspace);
      else run(to, from, source.length, typesize, scratch);
    };
  };
  const shuffleFilter = filter("shuffle", shuffle);
  const unshuffleFilter = filter("unshuffle", unshuffle);
  const encode = find("lz_encode");
  const encodeHigh = find("lz4_encode_high");
  return {
    decodeLz4: decoder("lz4_decode", decodeLz4),
    decodeSnappy: decoder("snappy_decode", decodeSnappy),
    decodeBlosclz: decoder("blosclz_decode", decodeBlosclz),
    encodeLz(format, target, source, workspace, acceleration) {
      const to = at(target);
      const from = at(source);
      const scratch = at(workspace);
      if (to < 0 || from < 0 || scratch < 0) return 0;
      return encode(format, to, target.length, from, source.length, scratch, acceleration);
    },
    encodeLz4High(target, source, workspace, depth) {
      const to = at(target);
      const from = at(source);
      const scratch = at(workspace);
      if (to < 0 || from < 0 || scratch < 0) return 0;
      return encodeHigh(to, target.length, from, source.length, scratch, depth);
    },
    // The kernels without a workspace ignore the argument.
    shuffle: (target, source, typesize) => shuffleFilter(target, source, typesize, target),
    unshuffle: (target, source, typesize) => unshuffleFilter(target, source, typesize, target),
    bitshuffle: filter("bitshuffle", bitshuffle),
    bitunshuffle: filter("bitunshuffle", bitunshuffle),
  };
}
