/** Buttons that save what is shown as a file. */
import { element } from "../element.js";

export interface Exports {
  /** Of the files, without an ending. */
  readonly name: string;
  readonly png?: (() => Promise<Blob>) | undefined;
  readonly csv: () => Promise<string>;
}

export function makeExports(
  place: HTMLElement,
  { name, png, csv }: Exports,
  onFail: (error: unknown, retry: () => void) => void,
): void {
  const button = (label: string, ending: string, make: () => Promise<Blob>): HTMLElement => {
    const made = element("button", { type: "button" }, label);
    const save = (): void => {
      make().then(
        (blob) => download(blob, `${name}.${ending}`),
        (error: unknown) => onFail(error, save),
      );
    };
    made.addEventListener("click", save);
    return made;
  };
  const table = async (): Promise<Blob> => new Blob([await csv()], { type: "text/csv" });
  place.replaceChildren(
    ...(png ? [button("Save PNG", "png", png)] : []),
    " ",
    button("Save CSV", "csv", table),
  );
}

function download(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  element("a", { href: url, download: name }).click();
  // The browser may read it a little later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
