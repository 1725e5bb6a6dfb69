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
.kind { flex: none; width: 64px; color: var(--bad); font-weight: 560; font-size: 14px; }
.kind.quiet { color: var(--soft); }
.attempts { margin-left: auto; align-self: center; display: flex; align-items: center; gap: 6px; font-size: 13px; color: var(--soft); }
.attempts svg { display: block; }
.what { flex: 1 1 300px; min-width: 0; }
.refusal + .refusal details, .review + .review details { border-top: 0; }
.refusal details:last-of-type, .review details:last-of-type { border-bottom: 1px solid var(--rule); }
h4 { font-size: 14px; font-weight: 600; color: var(--soft); margin: 12px 0 4px; }
h2 + .ask, h2 + .refusal, h2 + .review { margin-top: 14px; }
.ask { padding: 16px 18px; background: var(--raised); border: 1px solid var(--rule); border-radius: 10px; margin-bottom: 16px; }
.ask .aside { font-size: 13px; }
.ask p:last-child { margin-bottom: 0; }
.commands { font-size: 13px; }
.markdown { max-width: 76ch; overflow-wrap: anywhere; }
.markdown h4 { font-size: 16px; color: var(--ink); margin: 20px 0 6px; }
.markdown h5, .markdown h6 { font-size: 15px; font-weight: 600; margin: 16px 0 4px; }
.markdown > :first-child { margin-top: 0; }
.markdown ul, .markdown ol { margin: 0 0 12px; padding-left: 22px; }
.markdown blockquote { margin: 0 0 12px; padding-left: 14px; border-left: 2px solid var(--rule); color: var(--soft); }
.markdown hr { border: 0; border-top: 1px solid var(--rule); }
.place { font-family: var(--mono); font-size: 13px; color: var(--soft); }
.attempt + .attempt { margin-top: 18px; padding-top: 14px; border-top: 1px dashed var(--rule); }
.line { display: flex; flex-wrap: wrap; align-items: baseline; gap: 4px 12px; margin-bottom: 8px; }
ol.steps { list-style: none; display: flex; flex-wrap: wrap; gap: 2px 14px; margin: 0; padding: 0; }
.pairs { margin: 0 0 12px; }
.pairs > div { display: grid; grid-template-columns: minmax(110px, 190px) 1fr; gap: 4px 16px; padding: 5px 0; border-top: 1px solid var(--rule); }
.pairs dt { color: var(--soft); }
.pairs dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
@media (max-width: 600px) {
  .what { flex-basis: 200px; }
  .refusal summary .aside { margin-left: 98px; }
  .folded { padding-left: 0; }
  .pairs > div { grid-template-columns: 1fr; gap: 0; }
}
`;
