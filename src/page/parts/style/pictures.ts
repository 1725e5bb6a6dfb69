/** Pictures drawn as SVG. Their text has the size of the page's text at every width. */
export const pictures = `
figure.picture { margin: 18px 0 20px; }
figure.picture svg { display: block; overflow: visible; }
figcaption { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 8px; font-size: 13px; color: var(--soft); }
svg text { font: 14px var(--sans); fill: var(--ink); }
svg text.note, svg tspan.note { fill: var(--soft); font-size: 13px; }
.track { fill: var(--sunk); }
.bar.agent { fill: var(--accent); }
.bar.gate { fill: var(--good); }
.bar.refused { fill: var(--bad); }
.bar.unsure { fill: var(--unsure); }
.bar.person { fill: var(--soft); opacity: 0.55; }
.bar.open { opacity: 0.6; }
.bar.cost { fill: var(--accent); }
.bar.passed, .history .passed, .bar.noticed { fill: var(--good); }
.bar.failed, .history .failed, .bar.unnoticed { fill: var(--bad); }
.bar.skipped, .history .skipped { fill: var(--soft); opacity: 0.55; }
.history { vertical-align: -1px; }
.history .absent { fill: var(--rule); }
.axis { stroke: var(--rule); }
.attempt-mark rect { fill: none; stroke: currentColor; stroke-width: 1.25; }
.attempt-mark text { fill: currentColor; font-size: 12px; font-weight: 700; }
.attempt-mark.pass { color: var(--good); }
.attempt-mark.fail { color: var(--bad); }
.attempt-mark.inconclusive { color: var(--unsure); }
.wide { overflow-x: auto; padding: 2px 0 8px; }
.node .box { fill: var(--raised); stroke: var(--rule); stroke-width: 1.25; }
.node .box.critical, .edge.critical { stroke: var(--accent); stroke-width: 2; }
.node .label { font-weight: 560; }
.node .state { font-size: 12.5px; fill: var(--soft); }
.node.good .state { fill: var(--good); }
.node.bad .state { fill: var(--bad); }
.node.unsure .state { fill: var(--unsure); }
.node.busy .state { fill: var(--accent); }
.edge { fill: none; stroke: var(--rule); stroke-width: 1.5; }
figure.protocol { display: grid; grid-template-columns: auto minmax(0, 1fr); align-items: start; margin: 10px 0 4px; }
figure.protocol ol { list-style: none; margin: 0; padding: 0; }
figure.protocol li { display: flex; align-items: center; gap: 12px; height: 34px; padding: 0 8px; border-radius: 8px; white-space: nowrap; overflow: hidden; }
figure.protocol li.open, figure.protocol li.waiting { background: var(--raised); box-shadow: inset 0 0 0 1px var(--rule); }
figure.protocol .step { font-weight: 560; overflow: hidden; text-overflow: ellipsis; }
figure.protocol .what { flex: 0 1 auto; min-width: 0; overflow: hidden; text-overflow: ellipsis; color: var(--soft); font-size: 14px; }
figure.protocol .times { color: var(--soft); font-size: 13px; margin-left: auto; font-variant-numeric: tabular-nums; }
figure.protocol .mark { font-size: 14px; margin-left: auto; flex: none; min-width: 8.5em; }
figure.protocol .times + .mark { margin-left: 0; }
figure.protocol li.skipped .step, figure.protocol li.next .step { font-weight: 400; color: var(--soft); }
figure.protocol li.depth-1 { padding-left: 26px; }
.route { fill: none; stroke: var(--rule); stroke-width: 1.5; }
.route.taken { stroke: var(--soft); stroke-width: 2; }
.route.taken.back { stroke: var(--unsure); }
.dot { fill: var(--paper); stroke: var(--rule); stroke-width: 2; }
.dot.done { fill: var(--good); stroke: var(--good); }
.dot.open { fill: var(--accent); stroke: var(--accent); }
.dot.waiting { fill: var(--unsure); stroke: var(--unsure); }
.dot.stopped { fill: var(--soft); stroke: var(--soft); }
.edge.relation { stroke: var(--soft); }
.head { fill: var(--soft); }
svg text.middle { text-anchor: middle; }
svg text.backed { paint-order: stroke; stroke: var(--paper); stroke-width: 5px; stroke-linejoin: round; }
.key.critical::before, .key.cost::before { background: var(--accent); }
.key.passed::before, .key.noticed::before { background: var(--good); }
.key.failed::before, .key.unnoticed::before { background: var(--bad); }
.key.skipped::before { opacity: 0.55; }
@media (max-width: 600px) {
  svg tspan.words { fill: var(--ink); font-size: 14px; }
  svg tspan.sign, svg tspan.attempts { display: none; }
  figure.protocol li { gap: 8px; padding: 0 4px; }
  figure.protocol .what { display: none; }
  figure.protocol .mark { min-width: 0; }
}
.key::before { content: ""; display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; background: var(--soft); vertical-align: -1px; }
.key.agent::before { background: var(--accent); }
.key.gate::before { background: var(--good); }
.key.refused::before { background: var(--bad); }
.key.person::before { opacity: 0.55; }
`;
