/** Memory that V8's garbage collector frees late or does not count. */

let closedPort: MessagePort | undefined;

/** Frees memory at once so that the next allocation can reuse its pages. Every view of it becomes empty. */
export function free(memory: Uint8Array | undefined): void {
  const buffer = memory?.buffer;
  if (!(buffer instanceof ArrayBuffer)) return;
  if ("transfer" in buffer && typeof buffer.transfer === "function") {
    buffer.transfer(0);
    return;
  }
  // Node 20: a buffer that is transferred to a closed port is freed, in 1 us. Browsers leave it with the sender.
  if (closedPort === undefined) {
    closedPort = new MessageChannel().port1;
    closedPort.close();
  }
  closedPort.postMessage(undefined, [buffer]);
}

/**
 * Reserves addresses that are never touched: they cost no memory, but V8 counts them when it decides whether to collect garbage.
 * Resizable, because other buffers may reuse pages, which are then filled with zeros.
 */
export function addresses(byteLength: number): ArrayBuffer {
  return Reflect.construct(ArrayBuffer, [byteLength, { maxByteLength: byteLength }]);
}
