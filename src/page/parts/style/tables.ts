/** Tables, which are cards on a phone. */
export const tables = `
table { width: 100%; border-collapse: collapse; font-size: 14px; margin: 4px 0 16px; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 13px; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--rule); white-space: nowrap; vertical-align: bottom; }
td { padding: 8px 14px 8px 0; border-bottom: 1px solid var(--rule); vertical-align: top; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.number:not(:last-child), th.number:not(:last-child) { padding-right: 26px; }
td.id { font: 13px var(--mono); line-height: 1.7; }
td.id, th.id { width: 1%; white-space: nowrap; padding-right: 22px; }
td ul.plain { margin: 0; }
td ul.tests li { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 9px; }
td ul.plain li { padding: 0 0 4px; }
td ul.plain li:last-child { padding: 0; }
th.name { font-family: inherit; }
td.name { font-family: var(--mono); font-size: 13px; min-width: 8ch; }
td.mark, th.mark { font-weight: inherit; display: table-cell; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
@media (max-width: 600px) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { border-bottom: 1px solid var(--rule); padding: 10px 0; display: flex; flex-wrap: wrap; gap: 2px 18px; }
  td, td.number, td.mark, td.name, td.id { width: auto; border: 0; padding: 0; text-align: left; white-space: normal; display: flex; gap: 7px; min-width: 0; max-width: 100%; }
  td > div { min-width: 0; }
  td:has(> div:empty) { display: none; }
  td::before { content: attr(data-label); color: var(--soft); font: 13px/1.65 var(--sans); white-space: nowrap; }
  td:first-child { flex: 1 0 100%; font-weight: 560; padding-bottom: 2px; }
  td:first-child::before { content: none; }
}
`;
