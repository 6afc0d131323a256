/**
 * Packs the bodies of open findings, since a timeline takes 20 to 40 kB. Each block is JSON of some findings,
 * compressed with gzip and written in base64. The browser unpacks a block when one of its findings is opened, so a page
 * of thousands loads at once.
 */
import { gzipSync } from 'node:zlib';

/** A block has about this many characters before it is packed. A browser unpacks it in a few hundredths of a second. */
const BLOCK = 400_000;

export interface Folded {
  readonly n: number;
  /** Holds the markup of the open finding. */
  readonly body: string;
  /** Holds the text that the copy button copies. */
  readonly text: string;
}

/** The numbers of the findings must increase without a gap. */
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

/** Base64 has no character that a page would read as markup. */
function block(from: number, folded: readonly Folded[]): string {
  const json = JSON.stringify(folded.map(({ body, text }) => [body, text]));
  const packed = gzipSync(json, { level: 6 }).toString('base64');
  return `<script type="application/gzip" data-from="${from}" data-to="${from + folded.length - 1}">${packed}</script>\n`;
}

/**
 * Holds data for the script in a block that is not run. No `<` in the data can end the block. `id` must be a word of
 * our own.
 */
export function dataBlock(id: string, data: unknown): string {
  return `<script type="application/json" id="${id}">${JSON.stringify(data).replaceAll('<', String.raw`\u003c`)}</script>\n`;
}
