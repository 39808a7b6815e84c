/** Each campaign for a few seconds; `npm run attack` runs them for as long as you like. */
import { expect, test } from "vitest";
import { seeded } from "./campaign.js";
import { CAMPAIGNS } from "./campaigns.js";

const MILLISECONDS = 2000;

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
