/** The document that loads the page's script. It holds no data, so it is the same for everybody. */
export function shell(build: string): string {
  return `<!doctype html>
<html lang="en" data-build="${build}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Mettle</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Cpath d='M2 9l4 4 8-10' fill='none' stroke='%23168a50' stroke-width='2.5'/%3E%3C/svg%3E">
<link rel="stylesheet" href="page.css">
<script type="module" src="page.js"></script>
</head>
<body><div id="app"></div><noscript>This page needs JavaScript; <code>mettle status</code> shows the same in a terminal.</noscript></body>
</html>
`;
}
