/** The style of what only the live page has: the list, forms, windows over the page. The rest is `parts/style`. */
export const appStyle = `
.skip { position: absolute; left: 12px; top: -60px; z-index: 1; padding: 10px 16px; background: var(--raised); border: 1px solid var(--rule); border-radius: 8px; }
.skip:focus { top: 10px; }
main:focus { outline: none; }
header.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 18px; max-width: 1024px; margin: 0 28px; padding: 14px 0; border-bottom: 1px solid var(--rule); font-size: 14px; }
@media (min-width: 1080px) { header.bar { margin: 0 auto; } }
header.bar + main, header.bar ~ main { padding-top: 26px; }
header.bar .home { color: var(--ink); text-decoration: none; padding: 6px 0; }
header.bar .home:hover { color: var(--accent); }
header.bar .connection { margin-left: auto; color: var(--soft); }
.connection::before { content: ""; display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 7px; background: var(--unsure); }
.connection.live::before { background: var(--good); }
.connection.ended::before, .connection.other-build::before, .connection.replaced::before { background: var(--bad); }
header.run .over .brand { display: none; }
h1:focus { outline: none; }
.notice { max-width: 1024px; margin: 16px auto 0; padding: 12px 16px; background: var(--raised); border: 1px solid var(--unsure); border-radius: 10px; }
button, select, textarea { font: inherit; color: inherit; }
button { min-height: 36px; padding: 6px 14px; background: var(--raised); border: 1px solid var(--rule); border-radius: 8px; cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--accent); }
button:disabled { color: var(--soft); cursor: default; }
button.yes:not(:disabled) { background: var(--accent); border-color: var(--accent); color: var(--paper); font-weight: 560; }
button.no:not(:disabled) { border-color: var(--bad); color: var(--bad); }
button.quiet, button.link { background: none; border-color: transparent; padding: 6px 8px; }
button.quiet { color: var(--soft); }
button.link { min-height: 0; padding: 2px 0; color: var(--accent); text-decoration: underline; text-underline-offset: 2px; text-decoration-thickness: 1px; overflow-wrap: anywhere; text-align: left; }
td button.link { padding: 0; border: 0; line-height: inherit; }
td.name button.link { font-family: var(--mono); }
kbd { font: 12px var(--mono); padding: 1px 6px; border: 1px solid var(--rule); border-radius: 5px; background: var(--sunk); }
ul.runs { list-style: none; margin: 0 0 12px; padding: 0; }
ul.runs li { border-top: 1px solid var(--rule); }
ul.runs li:last-child { border-bottom: 1px solid var(--rule); }
a.run { display: grid; grid-template-columns: 118px minmax(0, 1fr) auto; gap: 2px 16px; align-items: baseline; padding: 11px 8px; margin: 0 -8px; border-radius: 8px; color: var(--ink); text-decoration: none; }
a.run:hover { background: var(--raised); }
a.run .task { font-weight: 540; overflow-wrap: anywhere; }
a.run .about { grid-column: 2; color: var(--soft); font-size: 14px; overflow-wrap: anywhere; }
a.run .about:empty { display: none; }
a.run .facts { grid-column: 3; grid-row: 1; display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0 14px; color: var(--soft); font-size: 13px; font-variant-numeric: tabular-nums; }
main > section[data-repository] { margin-top: 36px; padding-top: 0; border-top: 0; }
section[data-repository] .lead { margin-bottom: 10px; }
section.waiting { margin-top: 28px; padding: 18px 22px 20px; border: 1px solid var(--unsure); border-radius: 12px; background: var(--raised); }
section.waiting ul.runs { margin-bottom: 0; }
section.waiting ul.runs li:first-child { border-top: 0; }
section.waiting ul.runs li:last-child { border-bottom: 0; }
section.controls { margin-top: 20px; padding: 0; border: 0; display: flex; flex-wrap: wrap; align-items: start; gap: 4px 16px; }
section.controls .buttons { margin: 0; }
section.controls form:has(textarea) { flex: 1 1 420px; max-width: 640px; }
details.abort { border: 0 !important; flex: 1 1 300px; }
details.abort:first-child { margin-left: 0; }
details.abort > summary { color: var(--soft); font-size: 14px; padding: 8px 0; }
.gone, .fault { color: var(--unsure); }
section.waiting .ask { margin: 0 0 14px; padding: 0; border: 0; background: none; }
section.waiting .ask .ask { margin: 0; }
.ask .ask h3 { font-size: 15px; }
section.waiting .ask:last-child, section.waiting .ask:last-child details { margin-bottom: 0; border: 0; }
section.waiting .ask + .ask { margin-top: 26px; padding-top: 18px; border-top: 1px solid var(--rule); }
.ask h3 { margin: 14px 0 10px; font-size: 16px; overflow-wrap: anywhere; }
pre.shown { max-height: 60vh; overflow: auto; }
.ask details { border: 0; }
.ask details summary { color: var(--soft); font-size: 14px; }
.decision { margin: 0 0 10px; }
.field { display: block; margin: 0 0 12px; }
.field > span { display: block; margin-bottom: 5px; overflow-wrap: anywhere; }
a.memory { white-space: nowrap; margin-left: 8px; font-size: 14px; }
input[type="search"] { width: min(100%, 480px); padding: 8px 12px; font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--rule); border-radius: 8px; }
[data-file] + [data-file] > details { border-top: 0; }
#bank summary strong { min-width: 20px; }
textarea, select { width: 100%; padding: 9px 12px; background: var(--paper); border: 1px solid var(--rule); border-radius: 8px; }
textarea { resize: vertical; }
select { width: auto; min-width: 180px; max-width: 100%; min-height: 40px; }
.buttons { display: flex; flex-wrap: wrap; align-items: center; gap: 10px; margin: 4px 0 10px; }
.refusal { padding: 10px 14px; border-left: 3px solid var(--bad); background: var(--sunk); border-radius: 0 8px 8px 0; overflow-wrap: anywhere; }
ul.comments { list-style: none; margin: 0 0 12px; padding: 0; }
ul.comments li { padding: 6px 0 6px 12px; border-left: 2px solid var(--accent); margin: 4px 0; overflow-wrap: anywhere; }
#working { margin-top: 36px; }
#working details { background: var(--raised); border: 1px solid var(--rule); border-radius: 10px; margin-bottom: 12px; padding: 0 16px; }
#working .none { margin: 0 0 14px 22px; }
.pulse { animation: pulse 1.6s ease-in-out infinite; }
@keyframes pulse { 50% { opacity: 0.25; } }
.said-log { max-height: 46vh; overflow: auto; overscroll-behavior: contain; margin: 0 -4px 14px; padding: 12px 14px; background: var(--sunk); border-radius: 8px; }
.said-log p { margin: 0 0 8px; white-space: pre-wrap; overflow-wrap: anywhere; max-width: 100ch; }
.said-log p:last-child { margin-bottom: 0; }
.said-log .prints { font: 13px/1.5 var(--mono); margin: 0; max-width: none; }
.said-log .prints + :not(.prints) { margin-top: 8px; }
.said-log .does { font: 13px/1.5 var(--mono); padding-left: 12px; border-left: 2px solid var(--accent); max-width: none; }
.said-log .does .verb { font-family: var(--sans); color: var(--soft); }
.said-log .denied { border-color: var(--bad); }
.said-log .reports { border-color: var(--good); }
.said-log .left { color: var(--soft); font-size: 13px; }
dialog { width: min(1020px, 94vw); max-width: none; max-height: 90vh; padding: 0; color: var(--ink); background: var(--paper); border: 1px solid var(--rule); border-radius: 12px; }
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: rgb(0 0 0 / 0.45); }
.dialog-head { display: flex; align-items: center; gap: 16px; padding: 12px 18px; border-bottom: 1px solid var(--rule); }
.dialog-head h2 { margin-right: auto; overflow-wrap: anywhere; }
.dialog-body { overflow: auto; padding: 16px 18px; }
.lines { font-size: 13px; line-height: 1.5; margin: 0 0 12px; }
.lines .row { display: grid; grid-template-columns: 52px 16px minmax(0, 1fr); align-items: baseline; }
.lines code { background: none; padding: 0; white-space: pre-wrap; overflow-wrap: anywhere; border-radius: 0; }
.lines .number { color: var(--soft); text-align: right; padding: 0 10px 0 0; font: 12px var(--mono); user-select: none; }
.lines button.number { min-height: 0; background: none; border: 0; border-radius: 4px; }
.lines button.number:hover { color: var(--accent); text-decoration: underline; }
.lines .sign { color: var(--soft); font: 13px var(--mono); user-select: none; }
.lines .added { background: light-dark(#e7f4ea, #17301f); }
.lines .removed { background: light-dark(#fbeae8, #3a1d1b); }
.lines .hunk { color: var(--soft); background: var(--sunk); margin-top: 6px; }
.lines .file { font-weight: 620; border-bottom: 1px solid var(--rule); margin: 18px 0 4px; padding-bottom: 4px; }
.lines .file code { font-size: 14px; }
.lines > div:first-child .file { margin-top: 0; }
.said { margin: 4px 0 6px 68px; padding: 6px 12px; border-left: 2px solid var(--accent); background: var(--raised); white-space: pre-wrap; overflow-wrap: anywhere; }
.lines .decision { margin: 6px 0 10px 68px; font-size: 15px; }
@media (max-width: 600px) {
  header.bar { margin: 0 16px; padding: 10px 0; }
  header.bar ~ main { padding-top: 18px; }
  .notice { margin: 12px 16px 0; }
  a.run { grid-template-columns: minmax(0, 1fr); gap: 3px; }
  a.run .about, a.run .facts { grid-column: 1; grid-row: auto; justify-content: flex-start; }
  section.waiting { padding: 14px 14px 16px; }
  button { min-height: 44px; }
  button.link, .lines button.number { min-height: 0; }
  .buttons button.yes, .buttons button.no { flex: 1 1 auto; }
  dialog { width: 100vw; max-height: 100dvh; height: 100dvh; border: 0; border-radius: 0; }
  .dialog-body { padding: 12px; }
  .lines .row { grid-template-columns: 38px 14px minmax(0, 1fr); }
  .said, .lines .decision { margin-left: 8px; }
}
@media (prefers-reduced-motion: reduce) {
  * { transition: none !important; animation: none !important; }
}
`;
