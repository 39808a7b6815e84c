/**
 * Kernels whose every allocation lies between guard bytes, so that a write outside of it is noticed, and that
 * together are no larger than what was asked for at the beginning.
 */
import type { Kernels } from "../../src/kernels/kernels.js";

const GUARD_LENGTH = 64;
const GUARD = 0xa5;

export interface GuardedKernels {
  readonly kernels: Kernels;
  /** Throws when a guard byte has changed since `begin`. */
  check(): void;
}

interface Guard {
  readonly bytes: Uint8Array;
  /** The top of the arena before its allocation. */
  readonly mark: number;
  /** Bytes that were handed out before it. */
  readonly used: number;
}

export function guardKernels(inner: Kernels): GuardedKernels {
  let guards: Guard[] = [];
  let room = 0;
  let used = 0;
  const check = (): void => {
    for (const { bytes } of guards) {
      for (const byte of bytes) if (byte !== GUARD) throw new Error("a write outside of an allocation");
    }
  };
  const kernels: Kernels = {
    ...inner,
    within(_, work) {
      const mark = kernels.mark();
      try {
        return work();
      } finally {
        kernels.release(mark);
      }
    },
    begin(byteLength) {
      guards = [];
      room = byteLength;
      used = 0;
      inner.begin(byteLength);
    },
    allocate(byteLength) {
      const before = used;
      used += byteLength;
      if (used > room) throw new Error(`allocations of ${used} bytes where ${room} were asked for`);
      const mark = inner.mark();
      const whole = inner.allocate(byteLength + 2 * GUARD_LENGTH);
      const first = whole.subarray(0, GUARD_LENGTH).fill(GUARD);
      const last = whole.subarray(GUARD_LENGTH + byteLength).fill(GUARD);
      guards.push({ bytes: first, mark, used: before }, { bytes: last, mark, used: before });
      return whole.subarray(GUARD_LENGTH, GUARD_LENGTH + byteLength);
    },
    release(mark) {
      check();
      used = guards.find((guard) => guard.mark >= mark)?.used ?? used;
      guards = guards.filter((guard) => guard.mark < mark);
      inner.release(mark);
    },
  };
  return { kernels, check };
}
