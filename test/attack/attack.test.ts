/** A quarter of a minute of all campaigns; `npm run nightly` runs them for an hour. */
import { expect, test } from "vitest";
import { seeded } from "./campaign.js";
import { CAMPAIGNS } from "./campaigns.js";

const MILLISECONDS = 15_000 / CAMPAIGNS.length;

test.each(CAMPAIGNS)(
  "$name: $holds",
  async ({ run }) => {
    const rows = await run(performance.now() + MILLISECONDS, seeded(24));
    for (const { attack, rounds, broken } of rows) {
      expect.soft(broken, attack).toEqual([]);
      expect.soft(rounds, attack).toBeGreaterThan(0);
    }
  },
  120_000,
);
