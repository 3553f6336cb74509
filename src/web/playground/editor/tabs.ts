import { element } from "../../dom.ts";
import type { OpenDocument, Workbench, WorkbenchState } from "./workbench.ts";

/** One tab for each open document. */
export function createTabs(workbench: Workbench): HTMLElement {
  const list = element("div", { class: "tabs", role: "tablist", "aria-label": "Open files" });
  list.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const { documents, activePath } = workbench.state.value;
    const at = documents.findIndex((one) => one.name.path === activePath);
    const next = documents[(at + step + documents.length) % documents.length];
    if (next === undefined) return;
    workbench.show(next.name.path);
    list.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  });
  workbench.state.watch((state) => {
    const tabs = state.documents.map((document) => tabFor(document, state, workbench));
    list.replaceChildren(...tabs);
    list.querySelector(".tab.active")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  return list;
}

function tabFor(document: OpenDocument, state: WorkbenchState, workbench: Workbench): HTMLElement {
  const { path } = document.name;
  const isActive = path === state.activePath;
  const tab = element(
    "button",
    {
      type: "button",
      role: "tab",
      class: "tab-name",
      title: document.canClose ? path : "Nothing here belongs to a file",
      "aria-selected": isActive ? "true" : "false",
      tabindex: isActive ? 0 : -1,
    },
    document.title,
  );
  tab.addEventListener("click", () => workbench.show(path));
  const mark = element("span", {
    class: document.isEdited ? "tab-mark edited" : "tab-mark",
    title: document.isEdited ? "Edited in this page only; the file on disk is as it was" : null,
  });
  if (!document.canClose) return element("div", { class: tabClass(isActive) }, tab, mark);
  const close = element(
    "button",
    { type: "button", class: "tab-close", "aria-label": `Close ${document.title}` },
    "×",
  );
  close.addEventListener("click", () => workbench.close(path));
  return element("div", { class: tabClass(isActive) }, tab, mark, close);
}

function tabClass(isActive: boolean): string {
  return isActive ? "tab active" : "tab";
}
