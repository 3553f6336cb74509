import { element, setText } from "../../dom.ts";
import { type Folder, filterFiles, folderOf, nameOf, treeOf } from "./file-tree.ts";

const MAX_MATCHES = 200;

/** The files of the workspace with a filter above them. */
export interface FileList {
  readonly element: HTMLElement;
  readonly setFiles: (files: readonly string[], truncated: boolean) => void;
  /** Marks the open file and unfolds the folders that it is in. */
  readonly setActive: (path: string | null) => void;
}

export function createFileList(open: (path: string) => void): FileList {
  let files: readonly string[] = [];
  let active: string | null = null;
  const folders = new Map<string, HTMLDetailsElement>();
  const filter = element("input", {
    type: "search",
    class: "filter",
    placeholder: "Filter files",
    "aria-label": "Filter files",
    autocomplete: "off",
    spellcheck: "false",
  });
  const tree = element("div", { class: "tree" });
  const matches = element("div", { class: "tree matches", hidden: true });
  const foot = element("p", { class: "files-foot", role: "status" });

  const fileButton = (path: string, label: string, folder: string): HTMLButtonElement => {
    const button = element(
      "button",
      { type: "button", class: "file", title: path, "data-path": path },
      element("span", { class: "file-name" }, label),
      folder === "" ? null : element("span", { class: "file-folder" }, folder),
    );
    if (path === active) button.setAttribute("aria-current", "true");
    return button;
  };
  const fill = (folder: Folder, host: HTMLElement): void => {
    const groups = folder.folders.map((inner) => {
      const body = element("div", { class: "folder-body" });
      const group = element(
        "details",
        { class: "folder" },
        element("summary", { title: inner.name }, nameOf(inner.name)),
        body,
      );
      // Contents are made when they are first seen: a large workspace has thousands of rows.
      group.addEventListener("toggle", () => fillOnce(inner, body));
      folders.set(inner.name, group);
      return group;
    });
    host.replaceChildren(
      ...groups,
      ...folder.files.map((path) => fileButton(path, nameOf(path), "")),
    );
  };
  const fillOnce = (folder: Folder, body: HTMLElement): void => {
    if (body.childElementCount === 0) fill(folder, body);
  };
  const reveal = (path: string, root: Folder): void => {
    let folder = root;
    while (folder.name !== folderOf(path)) {
      const next = folder.folders.find((one) => path.startsWith(`${one.name}/`));
      const group = next === undefined ? undefined : folders.get(next.name);
      if (next === undefined || group === undefined) return;
      const body = group.querySelector<HTMLElement>(".folder-body");
      if (body !== null) fillOnce(next, body);
      group.open = true;
      folder = next;
    }
  };
  const mark = (): void => {
    for (const button of [tree, matches].flatMap((host) => [...host.querySelectorAll(".file")])) {
      if (button.getAttribute("data-path") === active) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  };
  const search = (): void => {
    const found = filterFiles(files, filter.value);
    const isFiltering = filter.value.trim() !== "";
    tree.hidden = isFiltering;
    matches.hidden = !isFiltering;
    const shown = found.slice(0, MAX_MATCHES);
    matches.replaceChildren(...shown.map((path) => fileButton(path, nameOf(path), folderOf(path))));
    setText(foot, isFiltering ? countText(found.length, "match", "matches") : filesText());
  };
  let isTruncated = false;
  const filesText = (): string =>
    `${countText(files.length, "file", "files")}${isTruncated ? ", more not listed" : ""}`;

  let root: Folder = treeOf([]);
  filter.addEventListener("input", search);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Enter") matches.querySelector<HTMLButtonElement>(".file")?.click();
    if (event.key === "Escape") {
      filter.value = "";
      search();
    }
  });
  for (const host of [tree, matches]) {
    host.addEventListener("click", (event) => {
      const target = event.target instanceof Element ? event.target.closest(".file") : null;
      const path = target?.getAttribute("data-path");
      if (path !== null && path !== undefined) open(path);
    });
    host.addEventListener("keydown", (event) => moveFocus(host, event));
  }
  return {
    element: element(
      "nav",
      { class: "files", "aria-label": "Workspace files" },
      filter,
      tree,
      matches,
      foot,
    ),
    setFiles: (next, truncated) => {
      files = next;
      isTruncated = truncated;
      root = treeOf(next);
      const unfolded = [...folders].flatMap(([name, group]) => (group.open ? [name] : []));
      folders.clear();
      fill(root, tree);
      for (const name of unfolded) reveal(`${name}/`, root);
      if (active !== null) reveal(active, root);
      search();
    },
    setActive: (path) => {
      active = path;
      if (path !== null) reveal(path, root);
      mark();
      tree.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
    },
  };
}

/** Up and down go through the rows that can be seen, files and folders alike. */
function moveFocus(host: HTMLElement, event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...host.querySelectorAll<HTMLElement>(".file, summary")].filter(
    (row) => row.offsetParent !== null,
  );
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  rows[at + step]?.focus();
}

function countText(count: number, one: string, many: string): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
