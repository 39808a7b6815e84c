/**
 * Where arrays stand. In memory where the system has files there (Linux): creating thousands of files on ext4 costs from 20 us to milliseconds each,
 * depending on what was deleted before, for every rival alike, and would be all that a write measures.
 */
import { existsSync } from "node:fs";

export const FOLDER = existsSync("/dev/shm") ? "/dev/shm/wazarr-bench" : "build/bench-data";
