/** The pairs of a catalogue that some exploration covered: a bit for each, in the catalogue's order, as base64. */
import { UsageError } from '../../../core/index.ts';
import type { ExploreLevel } from '../../../reports/index.ts';

type Coverage = ExploreLevel['coverage'];

export function unitedPairs(a: Coverage, b: Coverage): Coverage {
  if (a.pairs === 0 && b.pairs === 0) return a;
  if (a.pairs !== b.pairs || a.which === undefined || b.which === undefined)
    throw new UsageError(
      `the explorations are of two catalogues, with ${a.pairs} and ${b.pairs} pairs of forms; expected the same --catalogue and --only, of one version of the tool.`,
    );
  const [one, other] = [a.which, b.which].map((which) => Buffer.from(which, 'base64')) as [Buffer, Buffer];
  const bits = one.map((byte, i) => byte | (other[i] ?? 0));
  return { pairs: a.pairs, covered: countBits(bits), which: Buffer.from(bits).toString('base64') };
}

function countBits(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0);
}
