/** What failed, each with a button that reads it again. */
import { TriangleAlert } from "lucide";
import { problems } from "../session.js";
import { Icon } from "./icon.js";

/** The rest is a number. */
const MOST = 5;

export function ProblemList() {
  const all = problems.value;
  const rest = all.length - MOST;
  return (
    <div id="problems" role="alert">
      {all.slice(0, MOST).map(({ message, retry }) => (
        <div class="problem" key={message}>
          <Icon of={TriangleAlert} />
          <p>
            {message}{" "}
            <button type="button" class="button small lined" onClick={retry}>
              Try again
            </button>
          </p>
        </div>
      ))}
      {rest > 0 && (
        <div class="problem">
          <p>
            and {rest} more{" "}
            <button
              type="button"
              class="button small lined"
              onClick={() => {
                for (const { retry } of all) retry();
              }}
            >
              Try all {all.length} again
            </button>
          </p>
        </div>
      )}
    </div>
  );
}

export const ProblemPanel = () =>
  problems.value.length === 0 ? null : (
    <section class="panel problems" aria-label="Problems">
      <ProblemList />
    </section>
  );
