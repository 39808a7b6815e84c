#!/usr/bin/env node
/** Entry of the `wazarr` command. */
import { main } from "./main.js";

// `process.exit` could cut off output that is not written yet.
process.exitCode = await main(process.argv.slice(2));
