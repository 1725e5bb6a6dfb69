/** Pictures drawn as SVG. Their text has the size of the page's text at every width. */
export const pictures = `
figure.picture { margin: 18px 0 20px; }
figure.picture svg { display: block; overflow: visible; }
figcaption { display: flex; flex-wrap: wrap; gap: 4px 18px; margin-top: 8px; font-size: 13px; color: var(--soft); }
svg text { font: 14px var(--sans); fill: var(--ink); }
svg text.note { fill: var(--soft); font-size: 13px; }
.track { fill: var(--sunk); }
.bar.agent { fill: var(--accent); }
.bar.gate { fill: var(--good); }
.bar.refused { fill: var(--bad); }
.bar.unsure { fill: var(--unsure); }
.bar.person { fill: var(--soft); opacity: 0.55; }
.bar.open { opacity: 0.6; }
.key::before { content: ""; display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; background: var(--soft); vertical-align: -1px; }
.key.agent::before { background: var(--accent); }
.key.gate::before { background: var(--good); }
.key.refused::before { background: var(--bad); }
.key.person::before { opacity: 0.55; }
`;
