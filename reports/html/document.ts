/**
 * A file that loads nothing: style and script stand in it, and a content security policy lets no other script run and nothing
 * be fetched, whatever a table name holds. The frame is text of ours; all that comes from a report is made by components.
 */
import { h } from 'preact';
import type { VNode } from 'preact';
import { markup } from './render.ts';
import { SCRIPT, SCRIPT_HASH } from './script.ts';
import { STYLE } from './style.ts';

interface Page {
  readonly title: string;
  /** The head of the page, and `<main>`. */
  readonly body: () => VNode;
  /** Style beside that of every page. */
  readonly style?: string;
  /** The page's script runs. */
  readonly scripted: boolean;
  /** Blocks of data: before the script, and behind it. */
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
