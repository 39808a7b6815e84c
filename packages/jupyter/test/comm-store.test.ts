/** The store of a viewer, with messages that the test writes itself. */
import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { type Comm, CommStore, type MessageListener } from "../src/comm-store.js";

class Page implements Comm {
  readonly sent: { readonly kind?: string; readonly id?: string; readonly key?: string }[] = [];
  #listener: MessageListener = () => {};
  send(message: object): void {
    this.sent.push(message);
  }
  on(_: "msg:custom", listener: MessageListener): void {
    this.#listener = listener;
  }
  off(): void {
    this.#listener = () => {};
  }
  answer(message: unknown, ...buffers: readonly ArrayBufferView[]): void {
    this.#listener(message, buffers);
  }
}

const bytes = (...values: readonly number[]) => Uint8Array.from(values);

test("asks for 16 keys at once, and for the next when one has arrived", async () => {
  const page = new Page();
  const store = new CommStore(page);
  const reads = Array.from({ length: 20 }, (_, i) => store.get(`/${i}`));
  expect(page.sent.map(({ key }) => key)).toEqual(Array.from({ length: 16 }, (_, i) => `/${i}`));
  page.answer({ kind: "missing", id: page.sent[3]?.id });
  expect(await reads[3]).toBeUndefined();
  expect(page.sent.at(-1)?.key).toBe("/16");
});

test("takes a view of a longer buffer, and an empty value", async () => {
  const page = new Page();
  const store = new CommStore(page);
  const [whole, empty] = [store.get("/a"), store.get("/b")];
  page.answer({ kind: "value", id: page.sent[0]?.id, size: 2 }, new DataView(bytes(9, 1, 2, 9).buffer, 1, 2));
  page.answer({ kind: "value", id: page.sent[1]?.id, size: 0 }, bytes());
  expect([await whole, await empty]).toEqual([bytes(1, 2), bytes()]);
});

test("puts parts together, and does not ask for what has been aborted", async () => {
  const page = new Page();
  const store = new CommStore(page);
  const controller = new AbortController();
  const read = store.getRange("/a", { offset: 4, length: 3 }, controller);
  const other = store.get("/b", controller).catch((error: Error) => error.name);
  const [{ id }, { id: next }] = [page.sent[0] ?? {}, page.sent[1] ?? {}];
  expect(page.sent[0]).toEqual({ kind: "get", id, key: "/a", range: { offset: 4, length: 3 } });
  page.answer({ kind: "value", id, size: 3 }, bytes(1, 2));
  expect(page.sent.at(-1)).toEqual({ kind: "more", id });
  page.answer({ kind: "part", id }, bytes(3));
  expect(await read).toEqual(bytes(1, 2, 3));
  controller.abort();
  expect(page.sent.at(-1)).toEqual({ kind: "abort", id: next });
  page.answer({ kind: "value", id: next, size: 1 }, bytes(1));
  expect(await other).toBe("AbortError");
});

test("asks for nothing that a signal has aborted together with others", async () => {
  const page = new Page();
  const store = new CommStore(page);
  const controller = new AbortController();
  const { signal } = controller;
  const reads = Array.from({ length: 40 }, (_, i) => store.get(`/${i}`, { signal }));
  page.answer({ kind: "missing", id: page.sent[0]?.id });
  controller.abort();
  await Promise.allSettled(reads);
  expect(page.sent.filter(({ kind }) => kind === "get").length).toBe(17);
  expect(page.sent.filter(({ kind }) => kind === "abort").length).toBe(16);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test.each([
  ["more bytes than it has said", { size: 1 }, bytes(1, 2)],
  ["an empty part", { size: 3 }, bytes()],
  ["no buffer", { size: 3 }, undefined],
  ["no size", {}, bytes(1)],
  ["a size of more than a page holds", { size: 2 ** 40 }, bytes(1)],
  ["a size that is no number of bytes", { size: -1 }, bytes(1)],
])("fails for a value with %s", async (_, message, buffer) => {
  const page = new Page();
  const read = new CommStore(page).get("/a");
  page.answer({ kind: "value", id: page.sent[0]?.id, ...message }, ...(buffer === undefined ? [] : [buffer]));
  await expect(read).rejects.toThrow(/expected a (?:part|value) of/);
});

test("leaves messages alone that are of others, and rejects what is under way when it is closed", async () => {
  const page = new Page();
  const store = new CommStore(page);
  const read = store.get("/a");
  for (const message of [
    null,
    "text",
    7,
    {},
    { kind: "value" },
    { kind: "value", id: "of-another-page", size: 1 },
  ])
    page.answer(message, bytes(1));
  store.close();
  expect(page.sent.at(-1)).toEqual({ kind: "abort", id: page.sent[0]?.id });
  await expect(read).rejects.toThrow("the viewer was closed");
});
