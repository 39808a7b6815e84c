/** The elements of index.html that the program fills or listens to. */

/** @throws Error if the page has no such element */
export function find<Type extends Element>(id: string, type: abstract new () => Type): Type {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${id}`);
}

export const page = {
  canvas: find("canvas", HTMLCanvasElement),
  axes: find("axes", HTMLCanvasElement),
  stage: find("picture", HTMLElement),
  chart: find("chart", HTMLElement),
  table: find("table", HTMLElement),
  words: find("words", HTMLElement),
  progress: find("progress", HTMLProgressElement),
  readout: find("readout", HTMLElement),
  tree: find("tree", HTMLElement),
  sliders: find("sliders", HTMLElement),
  colours: find("colours", HTMLElement),
  exports: find("exports", HTMLElement),
  problems: find("problems", HTMLElement),
  profile: find("profile", HTMLElement),
  about: find("about", HTMLDetailsElement),
};
