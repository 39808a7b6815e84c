/** The module that anywidget loads. */
import { CommStore } from "./comm-store.js";
import type { Model } from "./traits.js";
import { ViewerElement } from "./viewer.js";

function render({ model, el }: { readonly model: Model; readonly el: HTMLElement }): () => void {
  const store = new CommStore(model);
  const viewer = new ViewerElement(model, store);
  el.append(viewer.root);
  void viewer.open();
  return () => {
    viewer.close();
    store.close();
  };
}

export default { render };
