import type { EdnValue } from './edn.ts';

/** Caches the keywords by their bytes, because a history repeats a dozen of them a million times. */
export class Keywords {
  private readonly byHash = new Map<number, { readonly text: Uint8Array; readonly value: EdnValue }>();

  find(bytes: Uint8Array, from: number, to: number): EdnValue | undefined {
    if (bytes[from] !== 58) return undefined;
    const row = this.byHash.get(hashOf(bytes, from, to));
    if (row === undefined || row.text.length !== to - from) return undefined;
    for (let i = 0; i < row.text.length; i++) if (row.text[i] !== bytes[from + i]) return undefined;
    return row.value;
  }

  keep(bytes: Uint8Array, from: number, to: number, value: EdnValue): void {
    if (this.byHash.size < 10_000) this.byHash.set(hashOf(bytes, from, to), { text: bytes.slice(from, to), value });
  }
}

function hashOf(bytes: Uint8Array, from: number, to: number): number {
  let hash = to - from;
  for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + bytes[i]) | 0;
  return hash;
}
