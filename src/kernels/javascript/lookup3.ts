/** Jenkins' lookup3, HDF5's hash of names and checksum of metadata. */

const rotate = (value: number, count: number): number => (value << count) | (value >>> (32 - count));

/** Bob Jenkins' lookup3 (hashlittle), HDF5's metadata checksum. */
export function lookup3InJavaScript(bytes: Uint8Array, initial = 0): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let a = (0xdeadbeef + bytes.length + initial) | 0;
  let b = a;
  let c = a;
  if (bytes.length === 0) return c >>> 0;
  let i = 0;
  for (; bytes.length - i > 12; i += 12) {
    a = (a + view.getInt32(i, true)) | 0;
    b = (b + view.getInt32(i + 4, true)) | 0;
    c = (c + view.getInt32(i + 8, true)) | 0;
    a = ((a - c) | 0) ^ rotate(c, 4);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 6);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 8);
    b = (b + a) | 0;
    a = ((a - c) | 0) ^ rotate(c, 16);
    c = (c + b) | 0;
    b = ((b - a) | 0) ^ rotate(a, 19);
    a = (a + c) | 0;
    c = ((c - b) | 0) ^ rotate(b, 4);
    b = (b + a) | 0;
  }
  const last = new DataView(new ArrayBuffer(12));
  for (let offset = 0; i < bytes.length; i++, offset++) last.setUint8(offset, view.getUint8(i));
  a = (a + last.getInt32(0, true)) | 0;
  b = (b + last.getInt32(4, true)) | 0;
  c = (c + last.getInt32(8, true)) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c >>> 0;
}
