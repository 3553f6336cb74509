import type { Cell } from "../cell.ts";
import type { ConnectionState } from "../connection.ts";
import { element } from "../dom.ts";

/** Says why the server does not answer and what to do; it lies over the page and moves nothing. */
export function createBanner(connection: Cell<ConnectionState>): HTMLElement {
  const banner = element("div", { class: "banner", role: "alert", hidden: true });
  connection.watch((state) => {
    banner.hidden = state.kind === "connected" || state.kind === "connecting";
    if (state.kind === "gone") banner.replaceChildren(...gone());
    if (state.kind === "locked") banner.replaceChildren(...locked());
  });
  return banner;
}

function gone(): readonly Node[] {
  return [
    element("strong", {}, "Not connected"),
    element("span", {}, " — start it with ", element("code", {}, "npm start")),
    element("span", { class: "banner-note" }, "This page connects again by itself."),
  ];
}

function locked(): readonly Node[] {
  return [
    element("strong", {}, "This server asks for its token"),
    element("span", {}, " — put ", element("code", {}, "#token=…"), " behind the address"),
    element("span", { class: "banner-note" }, "It is kept for this tab only."),
  ];
}
