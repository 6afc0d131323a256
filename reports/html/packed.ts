/**
 * What the page shows only when it is asked for (a finding's timeline takes 20 to 40 kB) stands in it packed: blocks of
 * JSON, gzip, base64, each some findings long. The browser unpacks a block when one of its findings is opened, so that a
 * page of thousands is there at once.
 */
import { gzipSync } from 'node:zlib';
import { html, trusted, type Markup } from './markup.ts';

/** Characters of a block before it is packed: unpacked within a few hundredths of a second. */
const BLOCK = 400_000;

export interface Folded {
  readonly n: number;
  /** What stands in the finding when it is open. */
  readonly body: Markup;
  /** What its copy button copies. */
  readonly text: string;
}

/** Numbers go up without a gap. */
export function packedBlocks(all: Iterable<Folded>): Markup {
  const blocks: Markup[] = [];
  let kept: Folded[] = [];
  let size = 0;
  const close = (): void => {
    const [first] = kept;
    if (first !== undefined) blocks.push(block(first.n, kept));
    kept = [];
    size = 0;
  };
  for (const each of all) {
    kept.push(each);
    size += each.body.markup.length + each.text.length;
    if (size >= BLOCK) close();
  }
  close();
  return html`${blocks}`;
}

/** Base64 holds no sign that a page would read as markup. */
function block(from: number, folded: readonly Folded[]): Markup {
  const json = JSON.stringify(folded.map(({ body, text }) => [body.markup, text]));
  return html`<script type="application/gzip" data-from="${from}" data-to="${from + folded.length - 1}">${trusted(gzipSync(json, { level: 6 }).toString('base64'))}</script>
`;
}

/** Data of ours for the script, as a block that is no program: no `<` in it can end it. */
export function dataBlock(id: string, data: unknown): Markup {
  return html`<script type="application/json" id="${id}">${trusted(JSON.stringify(data).replaceAll('<', String.raw`\u003c`))}</script>
`;
}
