/** Names threads as owners of locks, and tells whether such a thread still lives. No clock is asked. */
import { createHash, randomUUID } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { codeOf, isNoEntry } from "../check-store.js";

/** "unknown": on another host, or on a system that does not tell. */
type Life = "alive" | "dead" | "unknown";

let thisProcess: { readonly host: string; readonly prefix: string } | undefined;
let count = 0;

/**
 * This thread's host and the beginning of its owners' names. The hash of the host also covers its boot and
 * the namespace of process ids: process ids are comparable only among processes with the same hash. Made at
 * the first lock, on the thread that takes it.
 */
function self(): { readonly host: string; readonly prefix: string } {
  if (thisProcess !== undefined) return thisProcess;
  const boot = textOrNone(() => fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8"));
  const namespace = textOrNone(() => fs.readlinkSync("/proc/self/ns/pid"));
  const host = createHash("sha256").update(`${hostname()} ${boot} ${namespace}`).digest("hex").slice(0, 16);
  thisProcess = { host, prefix: `${host}-${process.pid}-${ownThread()}-${randomUUID()}` };
  return thisProcess;
}

/**
 * The id of this thread in Linux and when it started, "ID.START"; "" elsewhere. Ids are used again, so the
 * start belongs to the name.
 */
function ownThread(): string {
  const [, pid, id] =
    /^(\d+)\/task\/(\d+)$/.exec(textOrNone(() => fs.readlinkSync("/proc/thread-self"))) ?? [];
  if (id === undefined || Number(pid) !== process.pid) return "";
  const stat = statOf(`/proc/${pid}/task/${id}/stat`);
  return stat === undefined ? "" : `${id}.${stat.start}`;
}

/**
 * The name of the owner of a new lock: host, process, thread and a number, joined by "-". No other lock ever
 * has the same one.
 */
export function newOwner(): string {
  return `${self().prefix}.${count++}`;
}

/** Whether an owner's name is one that this thread made. */
export function isOwn(owner: string): boolean {
  return owner.startsWith(`${self().prefix}.`);
}

/**
 * Whether the thread of an owner still lives. Only Linux tells of single threads; elsewhere a living process
 * is "unknown".
 */
export function lifeOf(owner: string): Life {
  const [host, process = "", thread = ""] = owner.split("-");
  const pid = Number(process);
  if (host !== self().host || !Number.isInteger(pid) || pid < 1) return "unknown";
  if (!isThere(pid)) return "dead";
  const [, id, start] = /^(\d+)\.(\d+)$/.exec(thread) ?? [];
  if (id === undefined) return "unknown";
  try {
    const stat = statOf(`/proc/${pid}/task/${id}/stat`);
    // Z and X: it has ended, but its parent has not asked for its exit code.
    if (stat !== undefined) return stat.start === start && !"ZX".includes(stat.state) ? "alive" : "dead";
    // The system may hide processes of other users as a whole.
    return statOf(`/proc/${pid}/stat`) === undefined ? "unknown" : "dead";
  } catch {
    return "unknown";
  }
}

/**
 * State and start (ticks since boot) of a process or thread; undefined if there is none. @throws errors of
 * node:fs
 */
function statOf(path: string): { readonly state: string; readonly start: string } | undefined {
  let text: string;
  try {
    text = fs.readFileSync(path, "utf8");
  } catch (error) {
    if (isNoEntry(error) || codeOf(error) === "ESRCH") return undefined;
    throw error;
  }
  // The second field is the name, which may contain spaces and parentheses. State and start are fields 3 and
  // 22.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [state, start] = [fields[0], fields[19]];
  if (state === undefined || start === undefined)
    throw new Error(`expected the fields of a process: ${path}`);
  return { state, start };
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return codeOf(error) !== "ESRCH";
  }
}

function textOrNone(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}
