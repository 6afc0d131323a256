import type { Random } from '../../core/base/index.ts';

/** One to three edits: cut, changed, added, taken out or repeated bytes. */
export function mutate(bytes: Uint8Array, random: Random): Uint8Array {
  let out: Uint8Array = bytes.slice();
  for (let n = random.int(1, 3); n > 0; n--) {
    const at = out.length === 0 ? 0 : random.int(0, out.length - 1);
    const kind = random.int(0, 5);
    if (kind === 0) out = out.slice(0, at);
    else if (kind === 1 && out.length > 0) out[at] = random.int(0, 255);
    else if (kind === 2 && out.length > 0) out[at] = out[random.int(0, out.length - 1)]!;
    else if (kind === 3) out = concat(out.slice(0, at), new Uint8Array([random.int(0, 255)]), out.slice(at));
    else if (kind === 4) out = concat(out.slice(0, at), out.slice(Math.min(out.length, at + random.int(1, 8))));
    else out = concat(out.slice(0, at), out.slice(random.int(0, at), at), out.slice(at));
  }
  return out;
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
