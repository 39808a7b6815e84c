import DefaultTheme from "vitepress/theme";
import "./style.css";
import "./first.css";
import "./gallery.css";

export default DefaultTheme;
