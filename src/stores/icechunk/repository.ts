/**
 * The file "repo" of format 2: branches, tags, all snapshots and the configuration. Format 1 has a file for
 * each reference (references.ts), and no other list of snapshots than that each names its parent.
 */

import type { AbsolutePath, Json, Readable, StoreOptions } from "../../core/for-stores.js";
import { type IcechunkCommit, timeOf } from "./commit.js";
import { checked, ID_LENGTH, nameOfId, readTable } from "./files.js";
import { type List, OutOfBounds, required, type Table } from "./flatbuffer.js";
import { readFlexBuffer } from "./flexbuffer.js";

const KEY: AbsolutePath = "/repo";

export class Repository {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Ids of snapshots by the names of branches or tags. @throws StoreError */
  refs(kind: "branch" | "tag"): Map<string, string> {
    return this.#checked(() => {
      const snapshots = this.#snapshots;
      const refs = this.#table.tables(kind === "tag" ? 1 : 2);
      return new Map(refs.map((ref) => [required(ref.text(0)), idOf(snapshots.at(ref.uint32(1)))] as const));
    });
  }

  /** A snapshot and its ancestors, newest first; none if it is not in the list. @throws StoreError */
  ancestry(id: string): IcechunkCommit[] {
    return this.#checked(() => {
      const snapshots = this.#snapshots;
      let index = snapshots.map(idOf).indexOf(id);
      const commits: IcechunkCommit[] = [];
      while (index >= 0) {
        if (commits.length === snapshots.length) throw new OutOfBounds("a snapshot that is its own ancestor");
        const info = snapshots.at(index);
        index = info.int32(1);
        const parent = index < 0 ? undefined : idOf(snapshots.at(index));
        commits.push({
          snapshot: idOf(info),
          parent,
          message: info.text(3) ?? "",
          time: timeOf(info.uint64(2)),
        });
      }
      return commits;
    });
  }

  /** @throws StoreError */
  configuration(): Json | undefined {
    return this.#checked(() => {
      const bytes = this.#table.bytes(9);
      return bytes && readFlexBuffer(bytes);
    });
  }

  get #snapshots(): List<Table> {
    return this.#table.tables(4);
  }

  #checked<Result>(look: () => Result): Result {
    return checked(KEY, "repository", () => {
      this.#table.begin();
      return look();
    });
  }
}

const idOf = (snapshot: Table): string => nameOfId(required(snapshot.struct(0, ID_LENGTH)));

/** Undefined for a repository of format 1. @throws StoreError for a damaged file */
export function readRepository(store: Readable, options?: StoreOptions): Promise<Repository | undefined> {
  return readTable(store, KEY, "repository", options, (table) => new Repository(table));
}
