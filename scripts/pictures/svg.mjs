// Draws lines of a terminal as an SVG: real text, which can be selected, on a ground of its own for light and dark pages.

const size = 13;
const charWidth = 7.83;
const lineHeight = 17;
const pad = 18;
const bar = 34;

const style = `
  .ground { fill: #ffffff; stroke: #d0d7de; } .dots { fill: #d0d7de; }
  text { font: ${size}px "DejaVu Sans Mono", ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre; }
  .dim { fill: #636c76; } .green { fill: #1a7f37; } .red { fill: #cf222e; } .yellow { fill: #8a5d00; } .bold { font-weight: 700; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #30363d; } .dots { fill: #30363d; }
    text { fill: #e6edf3; }
    .dim { fill: #8d96a0; } .green { fill: #3fb950; } .red { fill: #ff7b72; } .yellow { fill: #d29922; }
  }`;

/**
 * @param {{ text: string, tone: string, column: number }[][]} lines
 * @param {{ columns: number, title: string }} picture
 */
export function svgOf(lines, { columns, title }) {
  const width = Math.ceil(columns * charWidth + 2 * pad);
  const height = bar + lines.length * lineHeight + pad;
  const texts = lines.flatMap((parts, index) => {
    const y = bar + (index + 1) * lineHeight - 4;
    const shown = parts.filter(({ text }) => text.trim() !== "");
    if (shown.length === 0) return [];
    return `<text y="${y}">${shown.map(spanOf).join("")}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<title>${escaped(title)}</title>
<style>${style}
</style>
<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<g class="dots"><circle cx="20" cy="18" r="5"/><circle cx="37" cy="18" r="5"/><circle cx="54" cy="18" r="5"/></g>
<text class="dim" x="${width / 2}" y="22" text-anchor="middle">${escaped(title)}</text>
${texts.join("\n")}
</svg>
`;
}

/** Each part has its own place and length, so that columns stay columns in every font. */
function spanOf({ text, tone, column }) {
  const blanks = text.length - text.trimStart().length;
  const words = text.trim();
  const x = (pad + (column + blanks) * charWidth).toFixed(1);
  const length = ([...words].length * charWidth).toFixed(1);
  const of = tone === "" ? "" : ` class="${tone}"`;
  return `<tspan x="${x}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${of}>${escaped(words)}</tspan>`;
}

function escaped(text) {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
