/**
 * The write transactions of this process's databases. In one, a writer reads chunks, changes them and stores
 * them, so that other processes do not come in between.
 */
import { attempt, attemptLater } from "./failures.js";

/** A write transaction that is open. LMDB aborts the transaction of a process that dies. */
interface Transaction {
  readonly owner: object;
  readonly startedAt: number;
  holders: number;
  readonly commit: () => void;
  readonly committed: Promise<unknown>;
}

/**
 * The open transaction of each database, by place. At most one: a second one in the same thread would
 * deadlock.
 */
const transactions = new WeakMap<object, Transaction>();
/**
 * Milliseconds after which no writer may join a transaction, so that it ends and other processes get their
 * turn.
 */
const LONGEST_JOINING = 50;

/** A store, and the place of its database. */
interface Database {
  readonly owner: object;
  readonly place: object;
  /** Begins a transaction of LMDB, which ends when `isDone` does; resolves when it is committed. */
  begin(isDone: Promise<void>): Promise<unknown>;
  /** Called when a transaction has ended. */
  ended(): void;
}

/**
 * Begins a write transaction, or joins the open one of the same store.
 * @returns a function that leaves it and waits for the commit @throws StoreError, the signal's reason
 */
export async function enterTransaction(
  database: Database,
  signal: AbortSignal | undefined,
): Promise<() => Promise<void>> {
  signal?.throwIfAborted();
  for (;;) {
    const open = transactions.get(database.place);
    if (open === undefined) break;
    const isJoined = open.holders > 0 && performance.now() - open.startedAt < LONGEST_JOINING;
    if (open.owner === database.owner && isJoined) {
      open.holders++;
      return () => leave(open);
    }
    await open.committed.catch(() => {});
  }
  signal?.throwIfAborted();
  const transaction = begin(database);
  return () => leave(transaction);
}

function begin({ owner, place, begin: beginIn, ended }: Database): Transaction {
  let commit: () => void = () => {};
  const isDone = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const answer = attempt("begin a transaction", "/", () => beginIn(isDone));
  const committed = answer.finally(() => {
    transactions.delete(place);
    ended();
  });
  committed.catch(() => {});
  const transaction = { owner, startedAt: performance.now(), holders: 1, commit, committed };
  transactions.set(place, transaction);
  return transaction;
}

async function leave(transaction: Transaction): Promise<void> {
  if (--transaction.holders === 0) transaction.commit();
  await attemptLater("commit a transaction", "/", () => transaction.committed);
}
