/** What the pool and its workers say to each other. Bytes are copied on the way in and transferred on the way out. */

/** The metadata of an array, which a worker prepares the same pipelines from. */
export interface ArrayMessage {
  readonly type: "array";
  readonly id: number;
  readonly array: number;
  readonly zarrFormat: 2 | 3;
  /** The array's `zarr.json`, or `.zarray`. */
  readonly document: string;
}

export interface ChunkMessage {
  readonly type: "decode" | "encode";
  readonly id: number;
  readonly array: number;
  /** 0: the array's own pipeline; 1: that of the inner chunks of its shards, and so on inwards. */
  readonly level: number;
  readonly bytes: Uint8Array;
  readonly key: string;
  readonly chunk: readonly number[];
}

/** Sent first: modules that are compiled already, by name. */
export interface ModulesMessage {
  readonly type: "modules";
  readonly modules: readonly (readonly [name: string, module: WebAssembly.Module])[];
  /** Whether kernels are to be the TypeScript twin's. */
  readonly javascript: boolean;
}

export type Request = ArrayMessage | ChunkMessage | ModulesMessage;

export interface Failure {
  readonly tag: string;
  readonly reason: string;
  readonly codec: string | undefined;
  readonly offset: number | undefined;
}

export type Answer =
  | { readonly id: number; readonly bytes?: Uint8Array }
  | { readonly id: number; readonly failure: Failure };
