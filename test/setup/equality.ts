/**
 * Lets `toEqual` compare typed arrays by their bytes, where element by element a million take seconds.
 * Arrays whose bytes differ are compared as ever, which knows of NaN and says what differs.
 */
import { expect } from "vitest";

expect.addEqualityTesters([
  (a: unknown, b: unknown): true | undefined =>
    ArrayBuffer.isView(a) && ArrayBuffer.isView(b) && a.constructor === b.constructor && haveSameBytes(a, b)
      ? true
      : undefined,
]);

function haveSameBytes(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength) return false;
  const left = new Uint8Array(a.buffer, a.byteOffset, a.byteLength);
  const right = new Uint8Array(b.buffer, b.byteOffset, b.byteLength);
  for (let i = 0; i < left.length; i++) if (left[i] !== right[i]) return false;
  return true;
}
