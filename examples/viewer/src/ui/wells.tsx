/** The wells of the plate that the image on the screen is of, and the fields of its well. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { OmePlate, WellPosition } from "wazarr/ome-zarr";
import { fieldsOf, nameOfWell, openPlate, plateAround } from "../data/plate.js";
import { chooseField } from "../open/open-source.js";
import { nodesOf } from "../open/tree.js";
import { act, tree } from "../session.js";
import { page } from "../state-of-page.js";
import { Panel } from "./panel.js";

/** Nothing for an image that is in no plate. */
export function Wells() {
  const path = page.value.path ?? "/";
  const plate = useSignal<OmePlate | undefined>(undefined);
  const nodes = nodesOf(tree.value).map(({ node }) => node);
  const group = act.value.kind === "picture" ? plateAround(nodes, path) : undefined;
  useEffect(() => {
    plate.value = undefined;
    // Without it, the wells are in the list of nodes.
    if (group)
      void openPlate(group).then(
        (opened) => {
          plate.value = opened;
        },
        () => {},
      );
  }, [group]);
  if (!group || plate.value?.group.path !== group.path) return null;
  return <WellPanel plate={plate.value} path={path} />;
}

function WellPanel({ plate, path }: { readonly plate: OmePlate; readonly path: string }) {
  const fields = useSignal<readonly string[]>([]);
  const { rows, columns, wells } = plate.layout;
  const pathOf = (well: WellPosition): string => plate.group.resolve(well.path).path;
  const shown = wells.find((well) => path.startsWith(`${pathOf(well)}/`));
  useEffect(() => {
    let isLast = true;
    fields.value = [];
    if (shown)
      void fieldsOf(plate, shown).then(
        (found) => {
          if (isLast) fields.value = found;
        },
        () => {},
      );
    return () => {
      isLast = false;
    };
  }, [plate, shown]);
  const go = async (well: WellPosition): Promise<void> => {
    const [first] = await fieldsOf(plate, well);
    if (first !== undefined) chooseField(plate.group, first);
  };
  return (
    <Panel name={shown ? `Well ${nameOfWell(shown)}` : "Wells"} tab="variables">
      <div id="wells" class="stack">
        <div class="mini-plate" style={{ gridTemplateColumns: `repeat(${columns.length}, minmax(0, 1fr))` }}>
          {rows.flatMap((_, row) =>
            columns.map((_, column) => {
              const well = wells.find((each) => each.rowIndex === row && each.columnIndex === column);
              if (!well) return <span key={`${row} ${column}`} />;
              const name = nameOfWell(well);
              return (
                <button
                  type="button"
                  key={well.path}
                  aria-label={`Well ${name}`}
                  title={name}
                  aria-pressed={well === shown}
                  onClick={() => void go(well)}
                />
              );
            }),
          )}
        </div>
        {fields.value.length > 1 && (
          <fieldset class="choices fields" aria-label="Field">
            {fields.value.map((each, i) => (
              <button
                type="button"
                class="button small"
                key={each}
                aria-label={`Field ${i + 1}`}
                aria-pressed={each === path}
                onClick={() => chooseField(plate.group, each)}
              >
                {i + 1}
              </button>
            ))}
          </fieldset>
        )}
      </div>
    </Panel>
  );
}
