/** What report.html shows of each open finding, as its script would unpack it. */
import { gunzipSync } from 'node:zlib';

export interface OpenFinding {
  readonly body: string;
  /** What its copy button copies. */
  readonly text: string;
}

/** Numbers are those of the findings, from 1. */
export function unpacked(page: string): ReadonlyMap<number, OpenFinding> {
  const found = new Map<number, OpenFinding>();
  for (const [, from, to, packed = ''] of page.matchAll(
    /<script type="application\/gzip" data-from="(\d+)" data-to="(\d+)">([^<]*)<\/script>/g,
  )) {
    const all = JSON.parse(gunzipSync(Buffer.from(packed, 'base64')).toString()) as readonly (readonly [string, string])[];
    if (all.length !== Number(to) - Number(from) + 1) throw new Error(`block ${from} to ${to} holds ${all.length}`);
    for (const [i, [body, text]] of all.entries()) found.set(Number(from) + i, { body, text });
  }
  return found;
}

/** The page and behind it every finding's body: all that a reader can come to see. */
export function wholePage(page: string): string {
  return [page, ...[...unpacked(page).values()].map(({ body }) => body)].join('\n');
}
