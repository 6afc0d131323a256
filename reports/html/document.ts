/**
 * Makes a page that loads nothing. The style and the script stand in the page itself. Whatever a table name holds, a
 * content security policy blocks every other script and every fetch. The frame is our own text, and components make
 * everything that comes from a report.
 */
import { h } from 'preact';
import type { VNode } from 'preact';
import { markup } from './render.ts';
import { SCRIPT, SCRIPT_HASH } from './script.ts';
import { STYLE } from './style.ts';

interface Page {
  readonly title: string;
  /** Makes the head of the page and `<main>`. */
  readonly body: () => VNode;
  /** Adds style to that of every page. */
  readonly style?: string;
  /** True if the page runs the script. */
  readonly scripted: boolean;
  /** `data` stands before the script, and `packed` stands behind it. */
  readonly data?: string;
  readonly packed?: string;
}

export function pageFile({ title, body, style = '', scripted, data = '', packed = '' }: Page): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'${scripted ? `; script-src '${SCRIPT_HASH}'` : ''}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="${policy}">
${markup(() => h('title', null, title))}
<style>${STYLE}${style}</style>
</head>
<body>
${markup(body)}
${data}${scripted ? `<script>${SCRIPT}</script>\n` : ''}${packed}</body>
</html>
`;
}
