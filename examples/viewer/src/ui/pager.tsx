/** Buttons that go through a long list page by page. */
import type { Interval } from "../data/window.js";

interface PagerProps {
  /** What there is many of: "Rows". */
  readonly name: string;
  readonly page: Interval;
  readonly length: number;
  readonly most: number;
  readonly onPage: (page: Interval) => void;
}

/** Nothing for what fits on one page. */
export function Pager({ name, page: [first, end], length, most, onPage }: PagerProps) {
  if (length <= most) return null;
  const go = (by: number): void => onPage([first + by, Math.min(first + by + most, length)]);
  const [from, to, all] = [first, end - 1, length].map((number) => number.toLocaleString("en"));
  return (
    <div class="pager">
      <span role="status">
        {name} {from} to {to} of {all}
      </span>
      <button
        type="button"
        class="button small lined"
        aria-label={`Previous ${name.toLowerCase()}`}
        disabled={first === 0}
        onClick={() => go(-most)}
      >
        Previous
      </button>
      <button
        type="button"
        class="button small lined"
        aria-label={`Next ${name.toLowerCase()}`}
        disabled={end === length}
        onClick={() => go(most)}
      >
        Next
      </button>
    </div>
  );
}
