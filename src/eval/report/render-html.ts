/**
 * A report as one page that asks for nothing: style and charts are inside, there is no script. Charts
 * are drawn twice, wide and narrow, since a picture made smaller cannot be read on a phone. Drawn by
 * us they take a few thousand bytes each, where a chart library would take half a million.
 */
import { isReached } from "../bench-report.ts";
import { chartElement } from "./chart-svg.ts";
import { formatColumn, unitSuffix } from "./format-value.ts";
import { checkCells } from "./render-markdown.ts";
import type { Report, ReportBlock, ReportCheck, ReportTable, TableColumn } from "./report.ts";
import { reportStyle } from "./report-style.ts";
import { escapeText } from "./svg.ts";

/** The page. */
export function renderHtml(report: Report): string {
  const { title, lead, stamps, sections, checks } = report;
  const missed = checks.filter((check) => !isReached(check)).length;
  const verdict =
    checks.length === 0
      ? ""
      : `<p class="verdict ${missed === 0 ? "pass" : "fail"}">${
          missed === 0
            ? `all ${checks.length} goals reached`
            : `${missed} of ${checks.length} goals missed`
        }</p>`;
  const stampList = stamps
    .map(({ name, value }) => `<dt>${escapeText(name)}</dt><dd>${escapeText(value)}</dd>`)
    .join("");
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${escapeText(title)}</title><style>${reportStyle}</style></head>`,
    `<body><main><header><h1>${escapeText(title)}</h1>`,
    lead === "" ? "" : `<p class="lead">${escapeText(lead)}</p>`,
    verdict,
    stamps.length === 0 ? "" : `<dl class="stamps">${stampList}</dl>`,
    "</header>",
    ...sections.map((section) =>
      [
        "<section>",
        section.title === "" ? "" : `<h2>${escapeText(section.title)}</h2>`,
        ...section.blocks.map(blockElement),
        "</section>",
      ].join("\n"),
    ),
    checks.length === 0 ? "" : `<section><h2>Checks</h2>${checkElement(checks)}</section>`,
    "</main></body></html>",
    "",
  ].join("\n");
}

function blockElement(block: ReportBlock): string {
  switch (block.kind) {
    case "paragraph":
      return `<p>${escapeText(block.text)}</p>`;
    case "listing":
      return `<pre>${escapeText(block.lines.join("\n"))}</pre>`;
    case "table":
      return tableElement(block);
    default:
      return (
        `<figure class="card"><h3>${escapeText(block.title)}</h3>` +
        `${chartElement(block, "wide")}${chartElement(block, "narrow")}</figure>`
      );
  }
}

function tableElement({ caption, columns, rows }: ReportTable): string {
  const head = columns
    .map((column) => {
      const unit = unitSuffix(column.unit);
      const shown = unit === "" ? "" : ` <span class="unit">${escapeText(unit)}</span>`;
      return `<th scope="col"${classOf(column)}>${escapeText(column.title)}${shown}</th>`;
    })
    .join("");
  const shown = columns.map(({ unit }, i) =>
    formatColumn(
      rows.map((row) => row[i] ?? null),
      unit,
    ),
  );
  const body = rows
    .map((row, line) => {
      const cells = row.map((cell, i) => {
        const column = columns[i];
        const isNumber = column?.align === "right";
        const kind = cell === null ? "none" : isNumber ? "" : "text";
        const classes = [isNumber ? "number" : "", kind].filter((one) => one !== "").join(" ");
        const attribute = classes === "" ? "" : ` class="${classes}"`;
        return `<td${attribute}>${escapeText(shown[i]?.[line] ?? "")}</td>`;
      });
      return `<tr>${cells.join("")}</tr>`;
    })
    .join("");
  const above = caption === "" ? "" : `<p class="caption">${escapeText(caption)}</p>`;
  return `${above}<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function classOf(column: TableColumn): string {
  return column.align === "right" ? ' class="number"' : "";
}

function checkElement(checks: readonly ReportCheck[]): string {
  const rows = checks.map((check) => {
    const [mark = "", name = "", ...figures] = checkCells(check);
    const numbers = figures.map((text) => `<td class="number">${escapeText(text)}</td>`).join("");
    return (
      `<tr><td class="${isReached(check) ? "pass" : "fail"}">${mark}</td>` +
      `<td class="text">${escapeText(name)}</td>${numbers}</tr>`
    );
  });
  return (
    '<div class="scroll"><table><thead><tr><th></th><th scope="col">check</th><th scope="col" class="number">measured</th>' +
    '<th scope="col" class="number">goal</th><th scope="col" class="number">noise</th></tr></thead>' +
    `<tbody>${rows.join("")}</tbody></table></div>`
  );
}
