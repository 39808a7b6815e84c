// Where the static data of a WebAssembly module end, by its binary: no engine's API says so.

const DATA_SECTION = 11;
/** A segment of memory 0 whose offset is an expression: `i32.const` and a number. */
const ACTIVE = 0;
const I32_CONST = 0x41;

/**
 * @param {Uint8Array} bytes a module
 * @param {number} memoryBase where its data begin
 * @returns {number} the first address behind all of its data segments
 */
export function staticDataEnd(bytes, memoryBase) {
  let position = 8;
  // LEB128. Addresses are signed ones, but positive: the same bits.
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
      // Behind the end of the expression.
      position++;
      if (start < memoryBase) throw new Error(`expected data from ${memoryBase} on, got some at ${start}`);
      const byteLength = readInteger();
      position += byteLength;
      end = Math.max(end, start + byteLength);
    }
  }
  return end;
}
