import type { Cell } from "../cell.ts";
import type { ConnectionState } from "../connection.ts";
import { element } from "../dom.ts";

/** Says that the server is gone and how to start it; it lies over the page and moves nothing. */
export function createBanner(connection: Cell<ConnectionState>): HTMLElement {
  const banner = element("div", { class: "banner", role: "alert", hidden: true });
  connection.watch((state) => {
    const isGone = state.kind === "gone";
    if (isGone === !banner.hidden) return;
    banner.hidden = !isGone;
    banner.replaceChildren(
      ...(isGone
        ? [
            element("strong", {}, "Not connected"),
            element("span", {}, " — start it with ", element("code", {}, "npm start")),
            element("span", { class: "banner-note" }, "This page connects again by itself."),
          ]
        : []),
    );
  });
  return banner;
}
