/** Colours and strokes of the charts. The colours are Okabe and Ito's, shifted for contrast. */

export const lightColours: string =
  "--paper:#ffffff;--page:#f6f7f9;--ink:#1b1f27;--muted:#5b6372;--grid:#e4e7ed;--rule:#d5d9e2;--on:#ffffff;" +
  "--c0:#0068a5;--c1:#c8520a;--c2:#00795a;--c3:#9a3f82;--c4:#806300;--c5:#3d5a80;--c6:#b3261e;" +
  "--good:#00694d;--bad:#b3261e;--tint:#eef2f8";
export const darkColours: string =
  "--paper:#171b22;--page:#0f1216;--ink:#e6e9ef;--muted:#9aa3b2;--grid:#2a303b;--rule:#343b48;--on:#0f1216;" +
  "--c0:#5db5ea;--c1:#ff9d5c;--c2:#3fd3a4;--c3:#e39ad2;--c4:#e8c84a;--c5:#9db4d6;--c6:#ff8a80;" +
  "--good:#3fd3a4;--bad:#ff8a80;--tint:#1f2630";

const seriesColours = Array.from({ length: 7 }, (_, i) => `.chart .c${i}{color:var(--c${i})}`).join(
  "",
);

/** Rules for everything inside `.chart`; the colours come from the two above. */
export const chartStyle: string =
  '.chart text{font:12px system-ui,-apple-system,"Segoe UI",sans-serif;fill:var(--ink);stroke:none}' +
  ".chart .tick,.chart .guide-name{fill:var(--muted)}.chart .axis{fill:var(--muted);font-style:italic}" +
  ".chart .value{font-variant-numeric:tabular-nums}.chart .on-bar{fill:var(--on);font-weight:600}" +
  ".chart .chart-title{font-size:15px;font-weight:600}.chart .grid{stroke:var(--grid);fill:none}" +
  ".chart .guide{stroke:var(--muted);stroke-dasharray:5 4;fill:none}" +
  ".chart .front{stroke:var(--muted);stroke-width:1.5;stroke-dasharray:2 3;fill:none}" +
  ".chart .line{stroke:currentColor;fill:none;stroke-width:2;stroke-linejoin:round}" +
  ".chart .band{fill:currentColor;opacity:.14;stroke:none}.chart .mark,.chart .bar{fill:currentColor;stroke:none}" +
  ".chart .error{stroke:currentColor;stroke-width:1.5;opacity:.7;fill:none}.chart .error.strong{stroke:var(--ink);opacity:.75}" +
  seriesColours;
