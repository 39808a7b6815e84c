/** The wells of a plate, in their rows and columns, with a small picture of the first field of each. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type Node, open } from "wazarr";
import type { OmePlate, WellPosition } from "wazarr/ome-zarr";
import { fieldsOf, nameOfWell } from "../data/plate.js";
import { chooseField } from "../open/open-source.js";
import { showProblem } from "../open/opening.js";
import { ProblemList } from "./problems.js";
import { SmallPicture } from "./small-picture.js";

/** Wells of a plate with pictures: a document of each, and of its image, are read for them. */
const MOST_PICTURES = 96;

export function PlateSheet({ plate }: { readonly plate: OmePlate }) {
  const { rows, columns, wells } = plate.layout;
  const at = (row: number, column: number): WellPosition | undefined =>
    wells.find((well) => well.rowIndex === row && well.columnIndex === column);
  return (
    <main class="sheet cards" id="plate">
      <h1>{plate.name ?? "Plate"}</h1>
      <ProblemList />
      <p id="words">
        {wells.length} {wells.length === 1 ? "well" : "wells"}: choose one to see its fields.
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, with keys too */}
      <section class="plate" tabIndex={0} aria-label="Wells">
        <table>
          <thead>
            <tr>
              <td />
              {columns.map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((name, row) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {columns.map((column, c) => (
                  <td key={column}>
                    <Well plate={plate} well={at(row, c)} hasPicture={wells.length <= MOST_PICTURES} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </main>
  );
}

interface WellProps {
  readonly plate: OmePlate;
  /** Undefined: without images. */
  readonly well: WellPosition | undefined;
  readonly hasPicture: boolean;
}

function Well({ plate, well, hasPicture }: WellProps) {
  const first = useSignal<Node | undefined>(undefined);
  useEffect(() => {
    if (!well || !hasPicture) return;
    // A well without a picture can be opened, and then says what is wrong.
    void firstOf(plate, well).then(
      (node) => {
        first.value = node;
      },
      () => {},
    );
  }, [plate, well]);
  if (!well) return <span class="well none" />;
  const run = (): void =>
    void fieldsOf(plate, well).then(
      ([path]) => path !== undefined && chooseField(plate.group, path),
      (error: unknown) => showProblem(error, run),
    );
  return (
    <button type="button" class="well" aria-label={`Well ${nameOfWell(well)}`} onClick={run}>
      {first.value && <SmallPicture node={first.value} beside={[]} size={[144, 144]} />}
    </button>
  );
}

async function firstOf(plate: OmePlate, well: WellPosition): Promise<Node | undefined> {
  const [path] = await fieldsOf(plate, well);
  return path === undefined ? undefined : open(plate.group.resolve(path), { kind: "group" });
}
