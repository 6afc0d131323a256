/** A file of known fingerprints: one a line, `#` begins a comment; a findings.json of an earlier run will do too. */
import { readFileSync } from 'node:fs';
import { UsageError } from '../core/index.ts';

export function readKnown(path: string): Set<string> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`--known ${path}: the file cannot be read; expected fingerprints, one a line, or the findings.json of an earlier run.`);
  }
  if (/^\s*[[{]/.test(text)) {
    try {
      const { findings } = JSON.parse(text) as { findings: readonly { fingerprint: unknown }[] };
      return new Set(findings.map(({ fingerprint }) => String(fingerprint)));
    } catch {
      throw new UsageError(`--known ${path}: the file begins like JSON and holds no findings; expected fingerprints, one a line, or the findings.json of an earlier run.`);
    }
  }
  return new Set(text.split('\n').map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== ''));
}
