// What all processes share: where Redis is, and how often a task is tried.
export const QUEUE = process.env.QUEUE ?? "wazarr";

export const connection = { url: process.env.REDIS_URL ?? "redis://127.0.0.1:6379" };

/**
 * Of each task: tries, longer and longer pauses between them, and what failed in the end stays: a dead
 * letter.
 */
export const taskOptions = {
  attempts: Number(process.env.ATTEMPTS ?? 4),
  backoff: { type: "exponential", delay: Number(process.env.BACKOFF_MILLISECONDS ?? 1000) },
  removeOnComplete: true,
  removeOnFail: false,
};

/**
 * Turns the names of stores into stores, for buckets for instance; directories, .zip and http(s) URLs without
 * it.
 */
export const open = undefined;
