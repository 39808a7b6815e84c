/** What jobs share with the functions that do the same at once: the plan of a pyramid of images. */
export {
  createLevel,
  MULTISCALE,
  type MultiscaleOptions,
  type MultiscalePlan,
  planLevels,
} from "./ome-zarr/plan-levels.js";
