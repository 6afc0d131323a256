/**
 * The bodies of open findings (a finding's timeline takes 20 to 40 kB) stand in the page packed: blocks of JSON, gzip,
 * base64, each some findings long. The browser unpacks a block when one of its findings is opened, so that a page of
 * thousands is there at once.
 */
import { gzipSync } from 'node:zlib';

/** Characters of a block before it is packed: unpacked within a few hundredths of a second. */
const BLOCK = 400_000;

export interface Folded {
  readonly n: number;
  /** The markup of the finding when it is open. */
  readonly body: string;
  /** The text that its copy button copies. */
  readonly text: string;
}

/** Numbers go up without a gap. */
export function packedBlocks(all: Iterable<Folded>): string {
  const blocks: string[] = [];
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
    size += each.body.length + each.text.length;
    if (size >= BLOCK) close();
  }
  close();
  return blocks.join('');
}

/** Base64 holds no sign that a page would read as markup. */
function block(from: number, folded: readonly Folded[]): string {
  const json = JSON.stringify(folded.map(({ body, text }) => [body, text]));
  const packed = gzipSync(json, { level: 6 }).toString('base64');
  return `<script type="application/gzip" data-from="${from}" data-to="${from + folded.length - 1}">${packed}</script>\n`;
}

/** Data of ours for the script, as a block that is no program: no `<` in it can end it. `id`: a word of ours. */
export function dataBlock(id: string, data: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>\n`;
}
