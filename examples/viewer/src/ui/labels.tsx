/** Which label images lie over an image, and how strongly. */
import { choiceOf, choose } from "../picture/overlays.js";
import { Opacity } from "./channels.js";

export const Labels = ({ names }: { readonly names: readonly string[] }) => (
  <>
    {names.map((name) => {
      const { isVisible, opacity } = choiceOf(names, name);
      return (
        <fieldset class="channel" key={name}>
          <legend>
            <label for={`label-${name}`}>
              <input
                id={`label-${name}`}
                type="checkbox"
                checked={isVisible}
                onChange={(event) => choose(names, name, { isVisible: event.currentTarget.checked })}
              />
              Labels: {name}
            </label>
          </legend>
          <Opacity
            name={`labels ${name}`}
            opacity={opacity}
            onOpacity={(value) => choose(names, name, { opacity: value })}
          />
        </fieldset>
      );
    })}
  </>
);
