/** Opens an address, files of the user, or an example. */
import { FileArchive, FolderOpen } from "lucide";
import { openAddress, openOwnFiles } from "../open/open-source.js";
import { chosenFiles } from "../sources/files.js";
import { page } from "../state-of-page.js";
import { Icon } from "./icon.js";

const FILES = ".zip,.ozx,.nc,.nc4,.h5,.hdf5,.grib2,.grb2,.tif,.tiff";

export function OpenForm({ onOpen }: { readonly onOpen?: () => void }) {
  const { url } = page.value;
  const opens = (input: HTMLInputElement): void => {
    openOwnFiles(chosenFiles(input.files ?? []));
    onOpen?.();
  };
  return (
    <form
      class="open-form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get("url");
        openAddress(typeof given === "string" ? given : "");
        onOpen?.();
      }}
    >
      <label for="url">Address of the data</label>
      <div class="address">
        <input
          id="url"
          name="url"
          type="text"
          inputMode="url"
          defaultValue={url?.startsWith("example:") ? "" : url}
          placeholder="https://…, s3://bucket/key, a .zip, or a reference .json"
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" class="button primary">
          Open
        </button>
      </div>
      <div class="ways">
        <label class="button lined file">
          <Icon of={FolderOpen} /> Folder…
          <input
            id="files"
            type="file"
            ref={(input) => input?.setAttribute("webkitdirectory", "")}
            onChange={(event) => opens(event.currentTarget)}
          />
        </label>
        <label class="button lined file">
          <Icon of={FileArchive} /> File…
          <input id="zip" type="file" accept={FILES} onChange={(event) => opens(event.currentTarget)} />
        </label>
      </div>
    </form>
  );
}
