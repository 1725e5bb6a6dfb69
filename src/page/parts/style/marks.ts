/** Verdicts, folds and gates. */
export const marks = `
.mark { display: inline-flex; align-items: baseline; gap: 5px; font-weight: 560; white-space: nowrap; }
.mark .symbol { font-weight: 700; width: 1em; text-align: center; }
.mark.good { color: var(--good); }
.mark.bad { color: var(--bad); }
.mark.unsure { color: var(--unsure); }
.mark.busy { color: var(--accent); }
.mark.quiet { color: var(--soft); }
details { border-top: 1px solid var(--rule); }
details:last-of-type { border-bottom: 1px solid var(--rule); }
summary { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; padding: 10px 0; cursor: pointer; list-style: none; overflow-wrap: anywhere; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "›"; color: var(--soft); width: 10px; transition: transform 0.12s; }
details[open] > summary::before { transform: rotate(90deg); }
summary:hover { color: var(--accent); }
summary .aside { margin-left: auto; font-size: 14px; }
.folded { padding: 2px 0 16px 22px; }
details details { border-top: 0; }
details details:last-of-type { border-bottom: 0; }
details details > summary { font-size: 14px; color: var(--soft); padding: 6px 0; }
.gate + .gate details { border-top: 0; }
.gate details:last-of-type { border-bottom: 1px solid var(--rule); }
.gate details details:last-of-type { border-bottom: 0; }
.place { font-family: var(--mono); font-size: 13px; color: var(--soft); }
.attempt + .attempt { margin-top: 18px; padding-top: 14px; border-top: 1px dashed var(--rule); }
.line { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; margin-bottom: 8px; }
.pairs { margin: 0 0 12px; }
.pairs > div { display: grid; grid-template-columns: minmax(110px, 190px) 1fr; gap: 4px 16px; padding: 5px 0; border-top: 1px solid var(--rule); }
.pairs dt { color: var(--soft); }
.pairs dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
@media (max-width: 600px) {
  .folded { padding-left: 0; }
  .pairs > div { grid-template-columns: 1fr; gap: 0; }
}
`;
