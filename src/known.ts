/**
 * A file of known fingerprints: one a line, `#` begins a comment; the findings.json of an earlier run will do too, and so
 * will one finding-<n>.json. A finding is known by its own fingerprint or by that of its reduced case.
 */
import { readFileSync } from 'node:fs';
import { UsageError } from '../core/index.ts';
import type { Finding } from '../core/index.ts';

export function isKnown({ anomaly, reproduction }: Pick<Finding, 'anomaly' | 'reproduction'>, known: ReadonlySet<string>): boolean {
  return known.has(anomaly.fingerprint) || (reproduction !== undefined && known.has(reproduction.anomaly.fingerprint));
}

interface KnownFile {
  readonly findings?: readonly { readonly fingerprint: unknown; readonly reproduced?: { readonly fingerprint: unknown } | null }[];
  readonly anomaly?: { readonly fingerprint: unknown };
  readonly reproduction?: { readonly anomaly: { readonly fingerprint: unknown } };
}

export function readKnown(path: string): Set<string> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`--known ${path}: the file cannot be read; expected fingerprints, one a line, or the findings.json of an earlier run.`);
  }
  if (/^\s*[[{]/.test(text)) {
    try {
      const file = JSON.parse(text) as KnownFile;
      if (file.anomaly) return new Set([file.anomaly, ...(file.reproduction ? [file.reproduction.anomaly] : [])].map(({ fingerprint }) => String(fingerprint)));
      return new Set(file.findings!.flatMap(({ fingerprint, reproduced }) => [fingerprint, ...(reproduced ? [reproduced.fingerprint] : [])].map(String)));
    } catch {
      throw new UsageError(`--known ${path}: the file begins like JSON and holds no findings; expected fingerprints, one a line, or the findings.json of an earlier run.`);
    }
  }
  return new Set(text.split('\n').map((line) => line.replace(/#.*/, '').trim()).filter((line) => line !== ''));
}
