/**
 * Slots of the core for code that stands above it: rare formats and codecs with another interface. The core
 * says by the type of a slot what it calls, and src/catalogue.ts fills the slots. So no import leads up.
 */
import { UnsupportedError } from "./errors.js";
import { lazy } from "./loading.js";

export interface Slot<Code> {
  /** Says where the code is. It is loaded when a document first needs it. */
  fill(load: () => Promise<Code>): void;
  /** @throws UnsupportedError in an empty slot */
  load(): Promise<Code>;
}

/** @param what the code is for, as the subject of an error message */
export function slot<Code>(what: string): Slot<Code> {
  let loadOnce: (() => Promise<Code>) | undefined;
  return {
    fill(load) {
      loadOnce = lazy(load);
    },
    async load() {
      if (loadOnce !== undefined) return loadOnce();
      throw new UnsupportedError(`${what} has no code here; import open, create and registry from wazarr`);
    },
  };
}
