/** Stores that watch what is asked of them. */
import type { AbsolutePath, Store, StoreOptions } from "../../src/index.js";

/** A Map that answers later, counts what is under way, and records the keys asked for. */
export class SlowStore implements Store {
  readonly map = new Map<string, Uint8Array>();
  readonly asked: string[] = [];
  running = 0;
  mostRunning = 0;

  async get(key: AbsolutePath, { signal }: StoreOptions = {}): Promise<Uint8Array | undefined> {
    this.asked.push(key);
    this.mostRunning = Math.max(this.mostRunning, ++this.running);
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.running--;
    signal?.throwIfAborted();
    return this.map.get(key);
  }

  async set(key: AbsolutePath, value: Uint8Array): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 1));
    this.map.set(key, value);
  }

  async delete(key: AbsolutePath): Promise<void> {
    this.map.delete(key);
  }
}
