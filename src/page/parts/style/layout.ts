/** Colours, type and space. */
export const layout = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fbfbfa, #16181c);
  --raised: light-dark(#ffffff, #1c1f24);
  --sunk: light-dark(#f2f2ef, #121417);
  --ink: light-dark(#1d2026, #e4e5e3);
  --soft: light-dark(#5c626d, #9ba1ab);
  --rule: light-dark(#e3e3de, #2b2f36);
  --accent: light-dark(#3d5a98, #91aee6);
  --good: light-dark(#2c7a45, #74c08a);
  --bad: light-dark(#b3372f, #ee8d83);
  --unsure: light-dark(#8a5a00, #dcb15f);
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Liberation Mono", "DejaVu Sans Mono", monospace;
}
:root.light { color-scheme: light; }
:root.dark { color-scheme: dark; }
*, *::before, *::after { box-sizing: border-box; }
html { background: var(--paper); -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.55 var(--sans); }
main { max-width: 1080px; margin: 0 auto; padding: 40px 28px 80px; }
h1 { font-size: 27px; line-height: 1.25; font-weight: 620; letter-spacing: -0.012em; margin: 6px 0 18px; overflow-wrap: anywhere; white-space: pre-line; }
h2 { font-size: 19px; line-height: 1.3; font-weight: 620; letter-spacing: -0.006em; margin: 0 0 4px; }
h3 { font-size: 15px; font-weight: 600; margin: 28px 0 6px; }
h2 + h3, .lead + h3 { margin-top: 16px; }
p { margin: 0 0 12px; }
section { margin-top: 56px; padding-top: 22px; border-top: 1px solid var(--rule); scroll-margin-top: 12px; }
.lead { color: var(--soft); max-width: 78ch; margin-bottom: 18px; text-wrap: pretty; }
h2 + table { margin-top: 12px; }
.aside, .none, .rest { color: var(--soft); }
.rest { margin-top: 10px; font-size: 14px; }
a { color: var(--accent); text-underline-offset: 2px; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, .name, pre { font-family: var(--mono); font-size: 13px; }
code, .name { overflow-wrap: anywhere; }
code { background: var(--sunk); padding: 1px 5px; border-radius: 4px; }
pre { margin: 0 0 12px; padding: 14px 16px; background: var(--sunk); border-radius: 8px; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
.pre { white-space: pre-wrap; }
ul.plain, ul.reasons { margin: 0 0 12px; padding: 0; list-style: none; }
ul.plain li, ul.reasons li { padding: 4px 0; overflow-wrap: anywhere; white-space: pre-wrap; }
ul.reasons li { padding-left: 14px; border-left: 2px solid var(--bad); margin: 6px 0; }
.over { display: flex; flex-wrap: wrap; gap: 4px 14px; color: var(--soft); font-size: 14px; margin: 0; }
.brand { color: var(--accent); font-weight: 620; }
.verdict { display: flex; flex-wrap: wrap; align-items: baseline; gap: 6px 12px; padding: 14px 16px; background: var(--raised); border: 1px solid var(--rule); border-radius: 10px; margin: 0 0 22px; overflow-wrap: anywhere; white-space: pre-line; }
.verdict .mark { font-size: 16px; }
.loops { display: flex; flex-wrap: wrap; gap: 2px 14px; align-items: baseline; margin: -8px 0 20px; }
.loops .name { font: 15px var(--sans); }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(172px, 1fr)); gap: 16px 20px; margin: 0; }
.figures dt { color: var(--soft); font-size: 13px; }
.figures dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
nav.parts { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 30px; font-size: 14px; }
nav.parts a { text-decoration: none; }
nav.parts a:hover { text-decoration: underline; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
footer.page { margin-top: 64px; color: var(--soft); font-size: 13px; }
@media (max-width: 600px) {
  main { padding: 24px 16px 56px; }
  h1 { font-size: 22px; }
  section { margin-top: 40px; }
  .figures { grid-template-columns: 1fr 1fr; gap: 12px 16px; }
}
@media print {
  :root { color-scheme: light; }
  main { max-width: none; padding: 0; }
  nav.parts { display: none; }
  section { break-inside: auto; margin-top: 28px; }
  h2, h3, summary { break-after: avoid; }
  tr, .attempt, figure { break-inside: avoid; }
  details::details-content { content-visibility: visible; block-size: auto; }
  summary::before { content: none; }
}
`;
