/** Lines over an axis of numbers or dates, drawn by uPlot. */
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "./theme.js";

export interface Line {
  readonly name: string;
  /** Place among the colours of pins. */
  readonly pin: number;
  /** NaN for a gap. */
  readonly values: ArrayLike<number>;
}

export interface PlotProps {
  /** What the chart is of, for screen readers. */
  readonly name: string;
  /** In ascending order. Seconds since 1970 for dates. */
  readonly x: ArrayLike<number>;
  readonly isTime: boolean;
  readonly lines: readonly Line[];
  /** A place on the axis that is marked. */
  readonly mark?: number | undefined;
  readonly height?: number | undefined;
  /** The index under the pointer. */
  readonly onIndex?: ((index: number | undefined) => void) | undefined;
  readonly onClick?: ((index: number) => void) | undefined;
}

export function Plot({ name, x, isTime, lines, mark, height, onIndex, onClick }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const marked = useRef(mark);
  const drawn = useRef<uPlot | undefined>(undefined);
  const look = theme.value;
  marked.current = mark;
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const style = getComputedStyle(element);
    const colour = (variable: string): string => style.getPropertyValue(variable).trim();
    const axis = {
      stroke: colour("--ink-3"),
      font: "11px system-ui, sans-serif",
      grid: { stroke: colour("--line"), width: 1 },
      ticks: { stroke: colour("--line"), width: 1, size: 4 },
    };
    const gaps = (values: ArrayLike<number>): (number | null)[] =>
      Array.from(values, (value) => (Number.isFinite(value) ? value : null));
    const sizeNow = () => ({
      width: element.clientWidth || 300,
      height: height ?? (element.clientHeight || 160),
    });
    const made = new uPlot(
      {
        ...sizeNow(),
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1e3), "UTC"),
        scales: { x: { time: isTime } },
        axes: [
          { ...axis, size: 38 },
          { ...axis, size: 52 },
        ],
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
        series: [
          {},
          ...lines.map(({ name, pin }) => ({
            label: name,
            stroke: colour(`--pin-${pin % 3}`),
            width: 1.4,
            points: { show: false },
            spanGaps: false,
          })),
        ],
        hooks: {
          setCursor: [({ cursor }) => onIndex?.(cursor.idx ?? undefined)],
          draw: [(plot) => drawMark(plot, marked.current, colour("--ink"))],
        },
      },
      [Array.from(x), ...lines.map(({ values }) => gaps(values))],
      element,
    );
    drawn.current = made;
    const click = (): void => {
      const { idx } = made.cursor;
      if (idx !== null && idx !== undefined) onClick?.(idx);
    };
    made.over.addEventListener("click", click);
    const observer = new ResizeObserver(() => {
      const { width, height } = sizeNow();
      if (width !== made.width || height !== made.height) made.setSize({ width, height });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      drawn.current = undefined;
    };
  }, [x, isTime, lines, height, look]);
  useEffect(() => drawn.current?.redraw(false), [mark]);
  return (
    <div
      ref={place}
      class="plot"
      role="img"
      aria-label={name}
      style={height === undefined ? { height: "100%" } : { height: `${height}px` }}
    />
  );
}

function drawMark(plot: uPlot, mark: number | undefined, colour: string): void {
  if (mark === undefined) return;
  const { ctx: context, bbox } = plot;
  const left = Math.round(plot.valToPos(mark, "x", true)) + 0.5;
  if (!(left >= bbox.left && left <= bbox.left + bbox.width)) return;
  context.save();
  context.strokeStyle = colour;
  context.lineWidth = devicePixelRatio;
  context.beginPath();
  context.moveTo(left, bbox.top);
  context.lineTo(left, bbox.top + bbox.height);
  context.stroke();
  context.restore();
}
