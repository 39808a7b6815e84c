#!/usr/bin/env node
/** Entry of the `wazarr` command. */
import { main } from "./cli/main.js";

// Not process.exit: output that is still on its way has to arrive.
process.exitCode = await main(process.argv.slice(2));
