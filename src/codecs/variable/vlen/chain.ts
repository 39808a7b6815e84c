/** A codec chain inside of `zarrs.vlen`: what is said of its errors, and the proof that what it encoded can be read. */
import { CodecError, InvalidMetadataError, UnsupportedError } from "../../../errors.js";
import type { Kernels } from "../../../kernels/kernels.js";

/** Bytes in memory order to encoded ones and back. What is decoded may be what was given, and is not to be changed. */
export interface Chain {
  /** The same at once, and results may be arena memory; undefined where some codec is asynchronous or is prepared for every chunk. */
  readonly now: ChainNow | undefined;
  /** @param byteLength exact length of what is decoded */
  decode(bytes: Uint8Array, byteLength: number, kernels: Kernels): Promise<Uint8Array>;
  encode(elements: Uint8Array, kernels: Kernels): Promise<Uint8Array>;
}

export interface ChainNow {
  decode(bytes: Uint8Array, byteLength: number, kernels: Kernels): Uint8Array;
  encode(elements: Uint8Array, kernels: Kernels): Uint8Array;
}

type Member = "index_codecs" | "data_codecs";

/**
 * @param mayChange whether codecs may give back other values than they were given (by rounding them, or by leaving bits out): what
 *   they encoded is decoded again, then, before anybody stores it
 */
export function checkedChain(member: Member, mayChange: boolean, { now, decode, encode }: Chain): Chain {
  return {
    now: now && checkedNow(member, mayChange, now),
    decode: (bytes, byteLength, kernels) =>
      decode(bytes, byteLength, kernels).catch((error) => {
        throw inside(member, error);
      }),
    async encode(elements, kernels) {
      try {
        const encoded = await encode(elements, kernels);
        if (mayChange) compare(elements, await decode(encoded, elements.length, kernels));
        return encoded;
      } catch (error) {
        throw inside(member, error);
      }
    },
  };
}

function checkedNow(member: Member, mayChange: boolean, { decode, encode }: ChainNow): ChainNow {
  return {
    decode(bytes, byteLength, kernels) {
      try {
        return decode(bytes, byteLength, kernels);
      } catch (error) {
        throw inside(member, error);
      }
    },
    encode(elements, kernels) {
      try {
        const encoded = encode(elements, kernels);
        if (mayChange) compare(elements, decode(encoded, elements.length, kernels));
        return encoded;
      } catch (error) {
        throw inside(member, error);
      }
    },
  };
}

/** Where the chunk is, only the pipeline around the codec knows, which adds it to errors without it. */
function inside(member: Member, error: unknown): unknown {
  if (error instanceof InvalidMetadataError) {
    return new CodecError(`${member} do not fit this chunk: ${error.message}`, { cause: error });
  }
  if (!(error instanceof CodecError || error instanceof UnsupportedError)) return error;
  const codec = error.codec === undefined ? "" : `${error.codec}: `;
  const reason = `${member}: ${codec}${error.reason}`;
  // The cause of what is unsupported may be something to load (missing-module.ts).
  return error instanceof CodecError
    ? new CodecError(reason, { cause: error })
    : new UnsupportedError(reason, { cause: error.cause });
}

function compare(given: Uint8Array, back: Uint8Array): void {
  const wrong = given.findIndex((byte, i) => byte !== back[i]);
  if (wrong < 0) return;
  throw new CodecError(
    `expected codecs that give back what they are given, got ${back[wrong]} for byte ${given[wrong]} at ${wrong}: elements of variable length cannot be stored by codecs that round, or leave bits out`,
  );
}
