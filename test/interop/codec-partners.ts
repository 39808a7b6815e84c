/**
 * The implementations that arrays of every codec are exchanged with: they write them, and read wazarr's and
 * their own.
 */
import { ask, type PythonImplementation, type Refusal } from "../setup/python.js";
import { readWithZarrs, writeWithZarrs, zarrsExecutable } from "../setup/zarrs.js";
import type { CodecCase } from "./codec-cases.js";
import { decodeStore, encodeStore } from "./wazarr.js";

/** A store as JSON: values in base64. */
export type EncodedStore = Readonly<Record<string, string>>;
/** Elements as hex, or why there are none. */
export type Reading = { readonly data: string } | Refusal;

export interface Exchange {
  readonly written: readonly ({ readonly store: EncodedStore } | Refusal)[];
  /** What it reads of the stores it was given, and of its own. */
  readonly given: readonly Reading[];
  readonly own: readonly Reading[];
}
export interface Partner {
  readonly title: string;
  readonly isThere: boolean;
  /** @param stores wazarr's, case by case; empty where wazarr does not write */
  exchange(cases: readonly CodecCase[], stores: readonly EncodedStore[]): Promise<Exchange>;
}

const storeOf = (answer: { readonly store: EncodedStore } | Refusal | undefined): EncodedStore =>
  answer !== undefined && "store" in answer ? answer.store : {};

export function pythonPartner(implementation: PythonImplementation): Partner {
  return {
    title: implementation.title,
    isThere: implementation.executable !== undefined,
    async exchange(cases, stores) {
      const requests = (of: (i: number) => EncodedStore) =>
        cases.map(({ zarr_format }, i) => ({ store: of(i), path: "/", zarr_format }));
      const first = await ask(implementation, { write: cases, read: requests((i) => stores[i] ?? {}) });
      const second = await ask(implementation, {
        write: [],
        read: requests((i) => storeOf(first.write[i])),
      });
      return { written: first.write, given: first.read, own: second.read };
    },
  };
}

export function zarrsPartner(): Partner {
  const executable = zarrsExecutable();
  const guarded = <Answer>(work: (executable: string) => Answer): Answer | Refusal => {
    try {
      if (executable === undefined) throw new Error("zarrs is not there");
      return work(executable);
    } catch (error) {
      return { error: String(error) };
    }
  };
  const read = (store: EncodedStore): Reading =>
    guarded((program): Reading => {
      const [answer] = readWithZarrs(program, decodeStore(store), ["/"]);
      return answer?.data === undefined ? { error: answer?.error ?? "no answer" } : { data: answer.data };
    });
  return {
    title: "zarrs",
    isThere: executable !== undefined,
    async exchange(cases, stores) {
      const written = cases.map(({ documents, data }) =>
        guarded((program) => {
          const metadata = documents["/zarr.json"];
          if (typeof metadata !== "object" || metadata === null) throw new Error("no metadata");
          return { store: encodeStore(writeWithZarrs(program, [{ path: "/", metadata, data }])) };
        }),
      );
      return {
        written,
        given: stores.map(read),
        own: written.map((answer) => read(storeOf(answer))),
      };
    },
  };
}
