/** Tables, which are cards on a phone. */
export const tables = `
table { width: 100%; border-collapse: collapse; font-size: 14px; margin: 4px 0 16px; }
th { text-align: left; font-weight: 500; color: var(--soft); font-size: 13px; padding: 6px 14px 6px 0; border-bottom: 1px solid var(--rule); white-space: nowrap; vertical-align: bottom; }
td { padding: 8px 14px 8px 0; border-bottom: 1px solid var(--rule); vertical-align: top; overflow-wrap: anywhere; }
th:last-child, td:last-child { padding-right: 0; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.name { font-family: var(--mono); font-size: 13px; min-width: 8ch; }
td.mark, th.mark { font-weight: inherit; display: table-cell; white-space: nowrap; }
tbody tr:last-child td { border-bottom: 0; }
@media (max-width: 600px) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { border-bottom: 1px solid var(--rule); padding: 10px 0; }
  td, td.number, td.mark { border: 0; padding: 2px 0; text-align: left; white-space: normal; display: grid; grid-template-columns: 104px minmax(0, 1fr); gap: 10px; }
  td::before { content: attr(data-label); color: var(--soft); font: 13px/1.7 var(--sans); }
  td:first-child { display: block; font-weight: 560; padding-bottom: 4px; }
  td:first-child::before { content: none; }
}
`;
