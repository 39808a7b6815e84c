/** The commands, in the order of the help. */
import type { Command } from "./command.js";
import { completionOf } from "./commands/completion.js";
import { consolidate } from "./commands/consolidate.js";
import { get } from "./commands/get.js";
import { info } from "./commands/info.js";
import { put } from "./commands/put.js";
import { serve } from "./commands/serve.js";
import { tree } from "./commands/tree.js";
import { verify } from "./commands/verify.js";
import { virtual } from "./commands/virtual.js";

// After the other imports: rollup orders the core's modules by these imports, and the output compresses 150
// bytes worse when the tasks of copies come first.

import { copy } from "./commands/copy.js";
import { doctor } from "./commands/doctor.js";

const onData: readonly Command[] = [info, tree, get, put, copy, verify, consolidate, virtual, doctor, serve];

export const commands: readonly Command[] = [...onData, completionOf(onData)];
