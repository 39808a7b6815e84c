// Finds the end of the static data of a WebAssembly module in its binary: no engine's API exposes it.

const DATA_SECTION = 11;
/** Mode of a data segment: active, in memory 0, with an offset expression (`i32.const` and a number). */
const ACTIVE = 0;
const I32_CONST = 0x41;

/**
 * @param {Uint8Array} bytes a module
 * @param {number} memoryBase address at which its data start
 * @returns {number} the first address after all data segments
 */
export function staticDataEnd(bytes, memoryBase) {
  let position = 8;
  // Unsigned LEB128. Addresses are signed LEB128, but positive, so the bits are the same.
  function readInteger() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[position++];
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }
  let end = memoryBase;
  while (position < bytes.length) {
    const section = bytes[position++];
    const length = readInteger();
    if (section !== DATA_SECTION) {
      position += length;
      continue;
    }
    for (let count = readInteger(); count > 0; count--) {
      if (readInteger() !== ACTIVE || bytes[position++] !== I32_CONST) {
        throw new Error("expected data segments at constant addresses");
      }
      const start = readInteger();
      // Skip the end opcode of the expression.
      position++;
      if (start < memoryBase) throw new Error(`expected data from ${memoryBase} on, got some at ${start}`);
      const byteLength = readInteger();
      position += byteLength;
      end = Math.max(end, start + byteLength);
    }
  }
  return end;
}
