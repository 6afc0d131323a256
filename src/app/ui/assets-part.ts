/** Serves the page itself: its document, style and script. */
import { reportStyle } from '../../../reports/index.ts';
import type { Part, UiContext } from './part.ts';
import { pageScript } from './page-script.ts';
import { UI_STYLE } from './style.ts';

/** All paths begin with `./`, because the token stands before them. `has` says what the page can show beside runs. */
const documentOf = (has: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Anomalist</title>
<link rel="stylesheet" href="./style.css">
<link rel="icon" href="data:,">
<script defer src="./part.js"></script>
<script type="module" src="./page.js"></script>
</head>
<body><div id="page" data-has="${has}"></div><noscript>This page is made by a script that this browser does not run.</noscript></body>
</html>
`;

export function assetsPart({ store }: UiContext): Part {
  const page = documentOf(store === undefined ? '' : 'campaigns');
  return {
    routes: [
      { method: 'GET', path: '/', answer: () => ({ content: page, type: 'text/html; charset=utf-8' }) },
      { method: 'GET', path: '/style.css', answer: () => ({ content: `${reportStyle}${UI_STYLE}`, type: 'text/css; charset=utf-8' }) },
      { method: 'GET', path: '/page.js', answer: async () => ({ content: await pageScript(), type: 'text/javascript; charset=utf-8' }) },
    ],
  };
}
