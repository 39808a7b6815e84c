/** Light or dark: as the system has it until somebody chooses. */
import { effect, signal } from "@preact/signals";

type Theme = "light" | "dark";

const KEPT = "wazarr-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function themeKept(): Theme | undefined {
  try {
    const kept = localStorage.getItem(KEPT);
    return kept === "light" || kept === "dark" ? kept : undefined;
  } catch {
    // A page in a frame of another origin may have no storage.
    return undefined;
  }
}

export const theme = signal<Theme>(themeKept() ?? (system.matches ? "dark" : "light"));

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
system.addEventListener("change", ({ matches }) => {
  if (themeKept() === undefined) theme.value = matches ? "dark" : "light";
});

export function changeTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(KEPT, theme.value);
  } catch {
    // It lasts as long as the page.
  }
}
