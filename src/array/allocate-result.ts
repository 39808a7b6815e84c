import { InvalidArgumentError } from "../errors.js";

/** Zeros. @throws InvalidArgumentError where there is no room */
export function allocateResult(byteLength: number): Uint8Array {
  try {
    return new Uint8Array(byteLength);
  } catch (cause) {
    throw new InvalidArgumentError(
      `cannot allocate ${byteLength} bytes for the result: take less at a time, with \`read\` or a smaller selection`,
      { cause },
    );
  }
}
