/** @jsxImportSource react */
/** Components in strict mode over a store that answers when the test says so; the tests run its functions. */
import { readingHook, suspend, useArray, useStore, useTiles } from "@wazarr/react";
import { Component, type ReactNode, StrictMode, Suspense, startTransition, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { create, get, open, root, type Store, set } from "wazarr";
import { levelsInPixels } from "wazarr/tiles";

const LENGTH = 8;

/** A column of numbers in chunks of one: index `i` is `i * 10`. */
async function column(): Promise<Map<string, Uint8Array>> {
  const store = new Map<string, Uint8Array>();
  const array = await create(root(store).resolve("column"), {
    shape: [LENGTH],
    chunkShape: [1],
    dtype: "int32",
    codecs: [{ name: "bytes" }],
  });
  await set(
    array,
    null,
    Int32Array.from({ length: LENGTH }, (_, i) => i * 10),
  );
  return store;
}

/** Chunks are given when `answer` is called; the log has what was asked for, and what was aborted. */
class HeldStore implements Store {
  readonly asked: string[] = [];
  readonly aborted: string[] = [];
  #held: { readonly chunk: string; readonly give: () => void }[] = [];

  constructor(private readonly values: ReadonlyMap<string, Uint8Array>) {}

  async get(
    key: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Uint8Array | undefined> {
    const [, chunk] = /\/c\/(.*)$/.exec(key) ?? [];
    if (chunk === undefined) return this.values.get(key);
    this.asked.push(chunk);
    await new Promise<void>((give, refuse) => {
      signal?.addEventListener("abort", () => {
        this.aborted.push(chunk);
        refuse(signal.reason);
      });
      this.#held.push({ chunk, give });
    });
    return this.values.get(key);
  }

  answer(chunk: string): void {
    for (const each of this.#held.filter((held) => held.chunk === chunk)) each.give();
    this.#held = this.#held.filter((held) => held.chunk !== chunk);
  }
}

class Boundary extends Component<{ readonly children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};
  static getDerivedStateFromError(error: Error): { readonly error: Error } {
    return { error };
  }
  override render(): ReactNode {
    return this.state.error === undefined ? this.props.children : `caught ${this.state.error.name}`;
  }
}

const place = document.body.appendChild(document.createElement("main"));
const text = (): string => place.textContent ?? "";
const pause = (milliseconds = 30) => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(isSo: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`waited in vain; the page says ${JSON.stringify(text())}`);
    await pause(5);
  }
}

async function mounted<Result>(run: (top: Root) => Promise<Result>): Promise<Result> {
  const top = createRoot(place);
  try {
    return await run(top);
  } finally {
    top.unmount();
    await pause();
  }
}

/** What every render of `Row` has shown: the index that it was given, and the text. */
const renders: [index: number, shown: string][] = [];

function Row({ store, index }: { readonly store: Store; readonly index: number }) {
  const { status, value, error } = useArray(store, "column", [index]);
  const shown = status === "failed" ? error.name : status === "reading" ? "reading" : String(value);
  renders.push([index, shown]);
  return shown;
}

function SuspendedRow({ store, index }: { readonly store: Store; readonly index: number }) {
  return String(suspend(useArray(store, "column", [index])));
}

const useFailing = readingHook(async (_, what: string): Promise<string> => {
  failures++;
  if (failures < 3) throw new RangeError(what);
  return `${what} read`;
});
let failures = 0;

function Failing() {
  const { status, value, error, retry } = useFailing("number");
  return (
    <button type="button" onClick={retry}>
      {status === "failed" ? error.message : (value ?? "reading")}
    </button>
  );
}

const useLevels = readingHook(async (signal, store: Store) => {
  const array = await open(root(store).resolve("plane"), { kind: "array", signal });
  return levelsInPixels([array]);
});

function Plane({ store, x }: { readonly store: Store; readonly x: number }) {
  const levels = useLevels(store);
  const view = { bounds: [x, 0, x + 256, 256], resolution: 1 } as const;
  const { picture } = useTiles(levels.value, view, { as: "uint8" });
  if (picture === undefined) return "no picture";
  const numbers = picture.tiles.filter(({ bounds }) => bounds[0] >= x && bounds[0] < x + 256);
  return `${picture.isComplete ? "complete" : "partial"} ${numbers.map(({ data }) => data[0]).join()}`;
}

function Addressed({ address }: { readonly address: string }) {
  const store = suspend(useStore(address));
  const array = suspend(useArray(store, "column"));
  const { data } = suspend(useArray(store, "column", null, { as: "float32" }));
  return `${array.shape.join()}: ${data.join(" ")}`;
}

function Chained({ address }: { readonly address: string }) {
  const { value, status } = useArray(useStore(address), "column", [3]);
  return status === "read" ? String(value) : status;
}

const scenarios = {
  /** One read for two components in strict mode; none after the last has gone. */
  async sharing() {
    const store = new HeldStore(await column());
    return mounted(async (top) => {
      const both = (
        <StrictMode>
          <Row store={store} index={2} /> <Row store={store} index={2} />
        </StrictMode>
      );
      top.render(both);
      await until(() => store.asked.length > 0);
      const first = text();
      store.answer("2");
      await until(() => text() === "20 20");
      return { first, shown: text(), asked: store.asked, aborted: store.aborted };
    });
  },

  async unmounting() {
    const store = new HeldStore(await column());
    await mounted(async (top) => {
      top.render(
        <StrictMode>
          <Row store={store} index={1} />
        </StrictMode>,
      );
      await until(() => store.asked.length > 0);
    });
    return { asked: store.asked, aborted: store.aborted };
  },

  /** Answers come in another order than questions. */
  async changing() {
    const store = new HeldStore(await column());
    renders.length = 0;
    return mounted(async (top) => {
      const show = (index: number) =>
        top.render(
          <StrictMode>
            <Row store={store} index={index} />
          </StrictMode>,
        );
      for (const index of [1, 2, 3, 1]) {
        show(index);
        await until(() => store.asked.at(-1) === String(index));
      }
      for (const index of [2, 3, 1]) {
        store.answer(String(index));
        await pause();
      }
      await until(() => text() === "10");
      show(4);
      await until(() => text() === "reading");
      store.answer("4");
      await until(() => text() === "40");
      const wrong = renders.filter(([index, shown]) => shown !== "reading" && shown !== String(index * 10));
      return { wrong, asked: store.asked, aborted: store.aborted };
    });
  },

  /** In a transition the last result stays; of steps between, nobody waits for the reads. */
  async suspending() {
    const store = new HeldStore(await column());
    return mounted(async (top) => {
      let change = (_: number): void => {};
      function Chosen() {
        const [index, setIndex] = useState(1);
        change = (next) => startTransition(() => setIndex(next));
        return (
          <Suspense fallback="waiting">
            <SuspendedRow store={store} index={index} />
          </Suspense>
        );
      }
      top.render(
        <StrictMode>
          <Chosen />
        </StrictMode>,
      );
      await until(() => store.asked.length > 0);
      const first = text();
      store.answer("1");
      await until(() => text() === "10");
      for (const index of [2, 3]) {
        change(index);
        await until(() => store.asked.at(-1) === String(index));
      }
      await pause();
      const meanwhile = text();
      store.answer("3");
      await until(() => text() === "30");
      return { first, meanwhile, asked: store.asked, aborted: store.aborted };
    });
  },

  async failing() {
    failures = 0;
    return mounted(async (top) => {
      top.render(<Failing />);
      await until(() => text() === "number");
      const click = () => place.querySelector("button")?.click();
      click();
      await until(() => failures === 2 && text() === "number");
      click();
      await until(() => text() === "number read");
      return failures;
    });
  },

  async caught(address: string) {
    return mounted(async (top) => {
      top.render(
        <StrictMode>
          <Boundary>
            <Suspense>
              <Addressed address={address} />
            </Suspense>
          </Boundary>
        </StrictMode>,
      );
      await until(() => text().startsWith("caught"));
      return text();
    });
  },

  async addressed(address: string) {
    return mounted(async (top) => {
      top.render(
        <StrictMode>
          <Suspense fallback="waiting">
            <Addressed address={address} />
          </Suspense>
        </StrictMode>,
      );
      await until(() => text().includes(":"));
      const suspended = text();
      top.render(<Chained address={address} />);
      await until(() => text() === "30");
      return suspended;
    });
  },

  /** Tiles of a plane of two by one chunks, which are 7 and 9. */
  async tiles() {
    const values = new Map<string, Uint8Array>();
    const array = await create(root(values).resolve("plane"), {
      shape: [256, 512],
      chunkShape: [256, 256],
      dtype: "uint8",
      codecs: [{ name: "bytes" }],
    });
    await set(array, [null, { start: 0, stop: 256, step: null }], 7);
    await set(array, [null, { start: 256, stop: 512, step: null }], 9);
    const store = new HeldStore(values);
    const { first, shown, asked } = await mounted(async (top) => {
      const show = (x: number) =>
        top.render(
          <StrictMode>
            <Plane store={store} x={x} />
          </StrictMode>,
        );
      show(0);
      await until(() => store.asked.length > 0);
      const first = text();
      const asked = [...store.asked];
      store.answer("0/0");
      await until(() => text() === "complete 7");
      show(256);
      await until(() => store.asked.includes("0/1"));
      store.answer("0/1");
      await until(() => text() === "complete 9");
      return { first, asked, shown: text() };
    });
    const again = new HeldStore(values);
    await mounted(async (top) => {
      top.render(<Plane store={again} x={0} />);
      await until(() => again.asked.length > 0);
    });
    return { first, asked, shown, aborted: again.aborted, one: await get(array, [0, 300]) };
  },
};

export type Scenarios = typeof scenarios;
Object.assign(globalThis, { scenarios });
