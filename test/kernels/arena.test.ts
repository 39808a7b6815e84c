import { describe, expect, it } from "vitest";
import { implementations } from "./implementations.js";

describe.each(await implementations())("the arena of the %s kernels", (_, kernels) => {
  it("hands out aligned pieces of one memory that do not overlap", () => {
    kernels.begin(10_000);
    const pieces = [1, 15, 16, 17, 1000, 0, 33].map((length) => kernels.allocate(length));
    for (const [i, piece] of pieces.entries()) {
      expect(piece.byteOffset % 16).toBe(0);
      expect(piece.buffer).toBe(pieces[0]?.buffer);
      const next = pieces[i + 1];
      if (next !== undefined) expect(next.byteOffset).toBeGreaterThanOrEqual(piece.byteOffset + piece.length);
    }
    expect(pieces.map((piece) => piece.length)).toEqual([1, 15, 16, 17, 1000, 0, 33]);
  });

  it("has room for all that was announced, and hands out ordinary memory beyond", () => {
    // More than any test before has made room for, so that the end is near.
    const room = 48 * 2 ** 20;
    kernels.begin(room);
    const all = kernels.allocate(room);
    const beyond = kernels.allocate(2 ** 24);
    expect(beyond.buffer).not.toBe(all.buffer);
    expect(beyond.length).toBe(2 ** 24);
    expect(beyond.every((byte) => byte === 0)).toBe(true);
    kernels.swap(beyond.subarray(0, 64), all.subarray(0, 64), 8);
  });

  it("frees in stack order", () => {
    kernels.begin(1000);
    const first = kernels.allocate(100);
    const mark = kernels.mark();
    const second = kernels.allocate(100);
    kernels.release(mark);
    expect(kernels.allocate(50).byteOffset).toBe(second.byteOffset);
    kernels.begin(1000);
    expect(kernels.allocate(1).byteOffset).toBe(first.byteOffset);
  });

  it("keeps every view of a batch alive when a smaller batch follows", () => {
    kernels.begin(100_000);
    const view = kernels.allocate(100_000);
    kernels.begin(50_000);
    expect(view.length).toBe(100_000);
  });

  it("works on after growth has detached the views of earlier batches", () => {
    kernels.begin(64);
    kernels.begin(100 * 2 ** 20);
    const [target, source] = [kernels.allocate(64), kernels.allocate(64)];
    source.fill(1);
    source[3] = 2;
    kernels.swap(target, source, 4);
    expect([...target.subarray(0, 4)]).toEqual([2, 1, 1, 1]);
  });

  it("gives up what work has allocated when it ends, and when it throws", () => {
    const place = () => kernels.within(100, () => kernels.allocate(100).byteOffset);
    const first = place();
    const failing = () =>
      kernels.within(100, () => {
        kernels.allocate(100);
        throw new Error("enough");
      });
    expect(failing).toThrow("enough");
    expect(place()).toBe(first);
  });

  it("leaves the memory of outer work alone, however much inner work asks for", () => {
    kernels.within(1000, () => {
      const outer = kernels.allocate(1000).fill(7);
      const inner = kernels.within(512 * 2 ** 20, () => [kernels.allocate(100), kernels.allocate(2 ** 29)]);
      for (const piece of inner) piece.fill(1, 0, 100);
      // Had the memory grown, this view would be detached.
      expect([outer.length, outer.every((byte) => byte === 7)]).toEqual([1000, true]);
      expect(inner.map((piece) => kernels.isScratch(piece))).toEqual([true, false]);
    });
  });

  it("refuses to be opened in the middle of work", () => {
    expect(() => kernels.within(0, () => kernels.begin(0))).toThrow("scratch memory is in use");
  });

  it("asks for more than there is without failing", () => {
    kernels.begin(3 * 2 ** 30);
    expect(kernels.allocate(16).length).toBe(16);
    kernels.begin(0);
  });
});
