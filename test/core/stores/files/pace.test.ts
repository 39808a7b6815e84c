import { describe, expect, it } from "vitest";
import { Pace } from "../../../../src/core/stores/files/pace.js";

/** How many operations in a row are to be asynchronous now. */
function rest(pace: Pace): number {
  let count = 0;
  while (!pace.isQuick()) count++;
  return count;
}

describe("Pace", () => {
  it("stays synchronous while operations run at memory speed", () => {
    const pace = new Pace();
    for (const byteLength of [0, 4096, 1 << 20, 16 << 20]) {
      pace.measured(byteLength / 1e6, byteLength);
      expect(rest(pace)).toBe(0);
    }
  });

  it("takes one slow operation among quick ones for a pause of the process", () => {
    const pace = new Pace();
    for (let i = 0; i < 100; i++) {
      pace.measured(i % 20 === 0 ? 5 : 0.01, 4096);
      expect(rest(pace)).toBe(0);
    }
  });

  it("rests when every other operation is slow", () => {
    const pace = new Pace();
    const rests = [5, 0.01, 5, 0.01, 5].map((milliseconds) => {
      pace.measured(milliseconds, 4096);
      return rest(pace);
    });
    expect(rests).toEqual([0, 0, 0, 0, 8]);
  });

  it("rests after the second slow operation, longer after every further one, but not for ever", () => {
    const pace = new Pace();
    const rests = Array.from({ length: 11 }, () => {
      pace.measured(5, 4096);
      return rest(pace);
    });
    expect(rests).toEqual([0, 8, 16, 32, 64, 128, 256, 512, 1024, 1024, 1024]);
  });

  it("rests at once after one that took longer than any pause", () => {
    const pace = new Pace();
    pace.measured(500, 4096);
    expect(rest(pace)).toBe(8);
  });

  it("forgives after quick ones", () => {
    const pace = new Pace();
    for (const milliseconds of [5, 5, 5, 5]) {
      pace.measured(milliseconds, 0);
      rest(pace);
    }
    for (let i = 0; i < 8; i++) pace.measured(0.01, 4096);
    expect(rest(pace)).toBe(0);
    pace.measured(5, 0);
    expect(rest(pace)).toBe(0);
    pace.measured(5, 0);
    expect(rest(pace)).toBe(8);
  });
});
