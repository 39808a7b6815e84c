/** When small pictures of the tree are painted: those in sight, one by one, while nothing else is read. */
import { page } from "../page.js";

/** Rejects if there is no picture, or after an abort. */
type Paint = (signal: AbortSignal) => Promise<void>;

export function createSmallPictures(tree: HTMLElement) {
  const paints = new Map<Element, Paint>();
  /** Those that are not painted yet. */
  const inSight = new Set<Element>();
  let reading: AbortController | undefined;
  const sight = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) inSight.add(target);
        else inSight.delete(target);
      void next();
    },
    { root: tree },
  );
  const stage = new MutationObserver(() => void next());
  const attributeFilter = ["aria-busy", "data-loading"];
  stage.observe(page.stage, { attributes: true, attributeFilter, childList: true, subtree: true });

  async function next(): Promise<void> {
    const [canvas] = inSight;
    const paint = canvas && paints.get(canvas);
    if (!isAtRest()) reading?.abort();
    if (!isAtRest() || reading || !paint) return;
    reading = new AbortController();
    const { signal } = reading;
    // Without a picture there are the words beside it.
    await paint(signal).catch(() => {});
    reading = undefined;
    if (!signal.aborted) {
      sight.unobserve(canvas);
      inSight.delete(canvas);
    }
    void next();
  }

  return {
    add(canvas: HTMLCanvasElement, paint: Paint): void {
      paints.set(canvas, paint);
      sight.observe(canvas);
    },
    close(): void {
      sight.disconnect();
      stage.disconnect();
      inSight.clear();
      reading?.abort();
    },
  };
}

/** Whether nothing is being opened, and all of what was is there. */
function isAtRest(): boolean {
  const isShown = page.canvas.dataset.loading === "0" || page.words.textContent !== "";
  return isShown && !page.stage.hasAttribute("aria-busy");
}
