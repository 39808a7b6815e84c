/** All campaigns, in the order in which they run. */
import { bombs } from "./bombs.js";
import type { Campaign } from "./campaign.js";
import { concurrency } from "./concurrency.js";
import { files } from "./files.js";
import { growth } from "./growth.js";
import { kill } from "./kill.js";
import { chunks, metadata } from "./mutations.js";
import { server } from "./server.js";

export const CAMPAIGNS: readonly Campaign[] = [
  kill,
  concurrency,
  server,
  bombs,
  metadata,
  chunks,
  files,
  growth,
];
