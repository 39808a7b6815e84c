/** Which label images lie over an image, and how strongly. */
import { choiceOf, choose } from "../picture/overlays.js";
import { Opacity } from "./channels.js";

export const Labels = ({ names }: { readonly names: readonly string[] }) => (
  <>
    {names.map((name) => {
      const { isVisible, isOutlined, opacity } = choiceOf(names, name);
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
          {isVisible && (
            <div class="row">
              <fieldset class="choices" aria-label={`Form of the labels ${name}`}>
                {[false, true].map((outlined) => (
                  <button
                    type="button"
                    class="button small"
                    key={String(outlined)}
                    aria-pressed={outlined === isOutlined}
                    onClick={() => choose(names, name, { isOutlined: outlined, opacity: outlined ? 1 : 0.5 })}
                  >
                    {outlined ? "Outlines" : "Filled"}
                  </button>
                ))}
              </fieldset>
            </div>
          )}
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
