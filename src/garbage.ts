/** Memory that V8's garbage collector frees late or does not count. */

let closedPort: MessagePort | undefined;

/** Frees memory at once so that the next allocation can reuse its pages. All views of the buffer become empty. */
export function free(memory: Uint8Array | undefined): void {
  const buffer = memory?.buffer;
  if (!(buffer instanceof ArrayBuffer)) return;
  if ("transfer" in buffer && typeof buffer.transfer === "function") {
    buffer.transfer(0);
    return;
  }
  // Without `transfer` (Node 20), sending a buffer to a closed port frees it, in 1 us. Browsers do not free it.
  if (closedPort === undefined) {
    closedPort = new MessageChannel().port1;
    closedPort.close();
  }
  closedPort.postMessage(undefined, [buffer]);
}

/**
 * Reserves addresses that are never touched: they cost no memory, but V8 counts them when it decides whether to collect garbage.
 * The buffer is resizable, because a fixed one may reuse pages, which then have to be zeroed.
 */
export function addresses(byteLength: number): ArrayBuffer {
  return Reflect.construct(ArrayBuffer, [byteLength, { maxByteLength: byteLength }]);
}
