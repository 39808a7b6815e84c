/** What V8's garbage collector does late and what it does not count. */

let nobody: MessagePort | undefined;

/**
 * Frees memory at once, as what is sent to a port that is closed is nobody's any more: 1 us, and the next to allocate finds its pages. For memory
 * that nobody else looks at, of which there may be no view left with a meaning: all are empty then.
 */
export function free(memory: Uint8Array | undefined): void {
  if (nobody === undefined) {
    nobody = new MessageChannel().port1;
    nobody.close();
  }
  if (memory?.buffer instanceof ArrayBuffer) nobody.postMessage(undefined, [memory.buffer]);
}

/**
 * Addresses that nobody touches, which costs no memory, but which V8 counts as memory when it decides whether to collect garbage. Resizable, because
 * others stand where something stood before, and are filled with zeros there.
 */
export function addresses(byteLength: number): ArrayBuffer {
  return Reflect.construct(ArrayBuffer, [byteLength, { maxByteLength: byteLength }]);
}
