/** Chunks that offsets of 32 bits cannot describe. In Node only: a browser does not give 2 GiB of memory that nobody touches. */
import { constants } from "node:buffer";
import { expect, it } from "vitest";
import { create, isZarrError, set } from "../../src/index.js";

it.each([["bytes"], ["vlen-utf8"], ["zarrs.vlen_v2"]])(
  "%s refuses 2 GiB in one chunk, with advice",
  async (codec) => {
    expect(constants.MAX_LENGTH).toBeGreaterThan(2 ** 31);
    const array = await create(new Map(), { shape: [1], dtype: "string", codecs: [codec] });
    // Zeros that the system gives page by page, so that none is ever there.
    const data = new Uint8Array(2 ** 31);
    const error: unknown = await set(array, null, { offsets: BigInt64Array.of(0n, 2n ** 31n), data }).catch(
      (reason: unknown) => reason,
    );
    expect(isZarrError(error, "CodecError")).toBe(true);
    expect(String(error)).toMatch(/less than 2 GiB .* large_string/);
  },
);
