/** What V8's garbage collector does late and what it does not count. */

let nobody: MessagePort | undefined;

/** Frees memory at once so that the next allocation can reuse its pages. Every view of it becomes empty. */
export function free(memory: Uint8Array | undefined): void {
  const buffer = memory?.buffer;
  if (!(buffer instanceof ArrayBuffer)) return;
  if ("transfer" in buffer && typeof buffer.transfer === "function") {
    buffer.transfer(0);
    return;
  }
  // Node 20. What is sent to a port that is closed is nobody's any more: 1 us. Browsers let the sender keep it.
  if (nobody === undefined) {
    nobody = new MessageChannel().port1;
    nobody.close();
  }
  nobody.postMessage(undefined, [buffer]);
}

/**
 * Addresses that nobody touches, which costs no memory, but which V8 counts as memory when it decides whether to collect garbage. Resizable, because
 * others stand where something stood before, and are filled with zeros there.
 */
export function addresses(byteLength: number): ArrayBuffer {
  return Reflect.construct(ArrayBuffer, [byteLength, { maxByteLength: byteLength }]);
}
