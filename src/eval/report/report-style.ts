/** How the page looks: the reader's scheme, one column, nothing that needs a connection. */
import { chartStyle, darkColours, lightColours } from "./chart-style.ts";

/** The whole style sheet. */
export const reportStyle: string = `
:root{color-scheme:light dark;${lightColours}}
@media(prefers-color-scheme:dark){:root{${darkColours}}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:880px;margin:0 auto;padding:40px 16px 72px}
h1{font-size:30px;line-height:1.2;letter-spacing:-.015em;margin:0 0 10px;text-wrap:balance}
h2{font-size:20px;line-height:1.3;margin:44px 0 12px}
h3{font-size:15px;line-height:1.4;margin:0 0 10px}
p{margin:0 0 14px}
.lead{font-size:18px;color:var(--muted);max-width:64ch}
.stamps{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:2px 16px;margin:20px 0 0;font-size:13px}
.stamps dt{color:var(--muted)}
.stamps dd{margin:0;overflow-wrap:anywhere}
.card{background:var(--paper);border:1px solid var(--rule);border-radius:10px;padding:16px;margin:0 0 16px}
figure.card{margin-inline:0}
.scroll{overflow-x:auto;margin:0 0 16px;background:var(--paper);border:1px solid var(--rule);border-radius:10px}
.caption{font-size:14px;color:var(--muted);margin:0 0 8px}
table{border-collapse:collapse;width:100%;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:7px 12px;text-align:left;white-space:nowrap}
td.text{white-space:normal;min-width:9em}
thead th{font-weight:600;color:var(--muted);border-bottom:1px solid var(--rule);vertical-align:bottom}
th .unit{font-weight:400;white-space:nowrap}
tbody tr+tr td{border-top:1px solid var(--grid)}
td.number,th.number{text-align:right}
td.none{color:var(--muted)}
pre{margin:0 0 16px;padding:14px 16px;background:var(--tint);border-radius:10px;overflow-x:auto;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
.pass{color:var(--good);font-weight:600}
.fail{color:var(--bad);font-weight:600}
.verdict{display:inline-block;margin:16px 0 0;padding:3px 12px;border-radius:999px;border:1px solid currentColor;font-size:13px;font-weight:600}
.chart{display:block;width:100%;height:auto}
.chart.narrow{display:none}
footer{margin-top:48px;font-size:13px;color:var(--muted)}
@media(max-width:560px){th,td{padding:7px 9px}td.text{min-width:7em}main{padding:24px 16px 48px}h1{font-size:25px}.lead{font-size:16px}.card{padding:14px 15px}.chart.wide{display:none}.chart.narrow{display:block}.stamps{grid-template-columns:1fr;gap:0}.stamps dd{margin:0 0 6px}}
@media print{body{background:none}.card,.scroll,pre{break-inside:avoid}}
${chartStyle}`;
