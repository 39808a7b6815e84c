/** What stores in files use of the core: it imports modules of Node, so no code for pages may import it. */
export { HeldLocks } from "./stores/files/held-locks.js";
export { lockFile } from "./stores/files/locks.js";
export { pathOfFileUrl } from "./stores/files/root.js";
