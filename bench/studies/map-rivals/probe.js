/**
 * In a page: looks at the picture of a map in every frame, and plays. What a library has to give is `open`,
 * which resolves to `{ setStep, isLoaded, move }`.
 */
const [WIDTH, HEIGHT, WHITE] = [32, 24, 64];
const NOTHING = -1;

/** Contexts keep their pictures, so that they can be looked at in the next frame. */
const { getContext } = HTMLCanvasElement.prototype;
const canvases = new Set();
HTMLCanvasElement.prototype.getContext = function (type, options) {
  if (!/webgl/.test(type)) return getContext.call(this, type, options);
  canvases.add(this);
  return getContext.call(this, type, { ...options, preserveDrawingBuffer: true });
};

const small = new OffscreenCanvas(WIDTH, HEIGHT).getContext("2d", { willReadFrequently: true });
small.imageSmoothingEnabled = false;

/** Step and level at places of the picture; NOTHING where nothing is drawn. */
function look() {
  small.clearRect(0, 0, WIDTH, HEIGHT);
  for (const canvas of canvases)
    if (canvas.isConnected && canvas.width > 0) small.drawImage(canvas, 0, 0, WIDTH, HEIGHT);
  const { data } = small.getImageData(0, 0, WIDTH, HEIGHT);
  return Array.from({ length: WIDTH * HEIGHT }, (_, i) =>
    data[4 * i + 3] < 128 ? NOTHING : Math.round((data[4 * i] / 255) * WHITE - 8 - 0.125),
  );
}

const stepsOf = (codes) =>
  new Set(codes.filter((code) => code !== NOTHING).map((code) => Math.floor(code / 3)));
const codeOf = (step) => (step * 7) % 16;

/** All frames since the last `frames.splice(0)`. */
const frames = [];
(function frame() {
  const time = performance.now();
  requestAnimationFrame(frame);
  // Once the libraries have drawn this frame.
  setTimeout(() => {
    const codes = look();
    const empty = codes.filter((code) => code === NOTHING).length;
    frames.push({ time, picture: codes.join(), steps: stepsOf(codes), empty });
  });
})();

export const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/**
 * Once the picture has not changed for a second, and has no holes if `isWhole`.
 * @returns the frames since the last call
 */
async function settled(isWhole = true) {
  const since = performance.now();
  for (;;) {
    await nextFrame();
    const last = frames.at(-1);
    if (last === undefined) continue;
    if (last.time - since > 300000) throw new Error(`the picture does not come to rest: ${last.empty} holes`);
    if (isWhole && last.empty > 0) continue;
    const changed = frames.findLast(({ picture }) => picture !== last.picture)?.time ?? since;
    if (last.time - Math.max(changed, since) > 1000) return frames.splice(0);
  }
}

/** Milliseconds from a time to the first frame with the last picture. */
function timeTo(list, start) {
  const { picture } = list.at(-1);
  const changed = list.findLastIndex((frame) => frame.picture !== picture);
  return Math.max(0, (list[changed + 1]?.time ?? start) - start);
}

performance.setResourceTimingBufferSize(1e5);
/** How many requests for data began after one time and were answered before another. */
const requests = (from, to) =>
  performance
    .getEntriesByType("resource")
    .filter(
      ({ name, startTime, responseEnd }) => /[.]zarr/.test(name) && startTime >= from && responseEnd <= to,
    ).length;

/**
 * @param open adds the data to a map that is there
 * @param steps to play; without any, the first picture is all that is measured
 */
export async function measure(open, steps) {
  await settled(false);
  const opened = performance.now();
  const map = await open();
  const seen = await settled();
  const whole = seen.find(({ empty }) => empty === 0);
  const codes = seen.at(-1).picture.split(",");
  const first = {
    level: Math.min(...codes.map((code) => code % 3)),
    first: whole.time - opened,
    firstRequests: requests(opened, whole.time),
  };
  return steps > 1 ? { ...first, ...(await moved(map)), ...(await played(map, steps)) } : first;
}

/** Pans, not over the dateline, where not everybody draws; then back and forth over what is there. */
async function moved(map) {
  const pans = [];
  map.move(30, 10, 2);
  await settled();
  for (const x of [75, 105, 75, 30, -15]) {
    frames.length = 0;
    const start = performance.now();
    map.move(x, 10, 2);
    pans.push(timeTo(await settled(), start));
  }
  frames.length = 0;
  for (let i = 0; i < 120; i++) {
    map.move(15 + Math.abs(60 - i), 10, 2);
    await nextFrame();
  }
  const slides = frames
    .slice(1)
    .map(({ time }, i) => time - frames[i].time)
    .sort((a, b) => a - b);
  map.move(0, 0, 1);
  await settled();
  return {
    pans,
    frame: slides[Math.floor(slides.length / 2)],
    slowFrame: slides[Math.floor(slides.length * 0.95)],
  };
}

/** Step after step, and then the step before. */
async function played(map, steps) {
  let start = performance.now();
  for (let step = 1; step < steps; step++) {
    map.setStep(step);
    await map.isLoaded();
    await nextFrame();
  }
  const playTime = performance.now() - start;
  const all = await settled();
  const playRequests = requests(start, performance.now());

  start = performance.now();
  map.setStep(steps - 2);
  await map.isLoaded();
  const back = (await settled()).filter(({ time }) => time > start);
  const isBack = ({ steps: shown }) => shown.size === 1 && shown.has(codeOf(steps - 2));
  if (!isBack(back.at(-1))) throw new Error("expected the step before");
  return {
    playTime,
    playRequests,
    frames: all.length,
    mixed: all.filter(({ steps: shown }) => shown.size > 1).length,
    holes: all.filter(({ empty }) => empty > 0).length,
    backFrames: back.findIndex(isBack) + 1,
    backTime: back.find(isBack).time - start,
  };
}
