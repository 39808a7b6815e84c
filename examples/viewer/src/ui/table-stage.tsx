/** An array as a table, page by page. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { wordsOfElement } from "../data/decode.js";
import { chosenIndex, type Layer } from "../data/layers.js";
import { type Table, tableOf } from "../data/rows.js";
import { type Interval, readWindow } from "../data/window.js";
import { showProblem } from "../open/opening.js";
import { problems, waiting } from "../session.js";
import { page } from "../state-of-page.js";
import { ArrayHead } from "./array-head.js";
import { Pager } from "./pager.js";

const [ROWS, COLUMNS] = [100, 20];
/** Characters of a cell: texts may be whole documents. */
const LONGEST = 200;

export function TableStage({ layer }: { readonly layer: Layer }) {
  const lengthOf = (d: number): number => layer.dimensions[d]?.length ?? 1;
  const [width, height] = [lengthOf(layer.x), lengthOf(layer.y)];
  const rows = useSignal<Interval>([0, Math.min(ROWS, height)]);
  const columns = useSignal<Interval>([0, Math.min(COLUMNS, width)]);
  const table = useSignal<Table | undefined>(undefined);
  const indices = layer.dimensions.map((dimension) => chosenIndex(dimension, page.value.indices));
  const window = { x: columns.value, y: rows.value };
  useEffect(() => {
    const reading = new AbortController();
    const { signal } = reading;
    const read = async (): Promise<void> => {
      try {
        const stored = await readWindow(layer, indices, window, signal);
        signal.throwIfAborted();
        table.value = tableOf(layer, window, stored);
        problems.value = [];
        waiting.value = "0";
      } catch (error) {
        if (!signal.aborted) showProblem(error, () => void read());
      }
    };
    void read();
    return () => reading.abort();
  }, [layer, indices.join(), window.x, window.y]);
  return (
    <main class="with-panels">
      <ArrayHead layer={layer} />
      <div id="table">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, with keys too */}
        <section class="cells" tabIndex={0} aria-label={`${layer.title}: table`}>
          {table.value && <Cells table={table.value} />}
        </section>
        <Pager
          name="Rows"
          page={rows.value}
          length={height}
          most={ROWS}
          onPage={(next) => {
            rows.value = next;
          }}
        />
        <Pager
          name="Columns"
          page={columns.value}
          length={width}
          most={COLUMNS}
          onPage={(next) => {
            columns.value = next;
          }}
        />
      </div>
    </main>
  );
}

const Cells = ({ table: { corner, columns, rows } }: { readonly table: Table }) => (
  <table>
    <thead>
      <tr>
        {[corner, ...columns].map((name, i) => (
          <th scope="col" key={`${i} ${name}`}>
            {clipped(name)}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {rows.map(({ name, cells }, row) => (
        <tr key={`${row} ${name}`}>
          <th scope="row">{clipped(name)}</th>
          {cells.map((value, column) => (
            <td key={columns[column]} class={classOf(value)}>
              {clipped(wordsOfElement(value))}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

function classOf(value: unknown): string {
  if (value === undefined) return "none";
  return typeof value === "number" || typeof value === "bigint" ? "numeric" : "";
}

const clipped = (words: string): string => (words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words);
