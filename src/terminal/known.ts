/**
 * What is no news. A file of fingerprints, one a line, `#` begins a comment, makes them known whatever the documents say
 * of them. The findings.json of an earlier run, or one finding-<n>.json, makes a fingerprint known with the verdict that
 * it had there only, so that what one level allows never hides a bug at another; and of what the documents allow it
 * makes the kind known (its class and the names users know), since a busy run finds new statements and longer rings of
 * it every time. A finding is known by its own fingerprint or by that of its reduced case.
 */
import { readFileSync } from 'node:fs';
import { UsageError } from '../../core/index.ts';
import type { Anomaly, Finding } from '../../core/index.ts';

interface Judged extends Pick<Finding, 'judgement'> {
  readonly anomaly: Pick<Anomaly, 'class' | 'shapes' | 'fingerprint'>;
  readonly reproduction?: { readonly anomaly: Pick<Anomaly, 'fingerprint'> } | undefined;
}

export function isKnown({ anomaly, reproduction, judgement: { verdict } }: Judged, known: ReadonlySet<string>): boolean {
  const prints = [anomaly, ...(reproduction ? [reproduction.anomaly] : [])].map(({ fingerprint }) => fingerprint);
  return (
    prints.some((print) => known.has(print) || known.has(`${verdict} ${print}`)) || (verdict === 'documented' && known.has(kindOf(anomaly)))
  );
}

function kindOf({ class: name, shapes }: Pick<Anomaly, 'class' | 'shapes'>): string {
  return `kind ${name} ${shapes.join()}`;
}

type KnownAnomaly = Pick<Anomaly, 'fingerprint'> & Partial<Pick<Anomaly, 'class' | 'shapes'>>;

interface KnownFile {
  readonly findings?: readonly (KnownAnomaly & { readonly verdict?: string; readonly reproduced?: KnownAnomaly | null })[];
  readonly verdict?: string;
  readonly anomaly?: KnownAnomaly;
  readonly reproduction?: { readonly anomaly: KnownAnomaly };
}

export function readKnown(path: string): Set<string> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(
      `--known ${path}: the file cannot be read; expected fingerprints, one a line, or the findings.json of an earlier run.`,
    );
  }
  if (/^\s*[[{]/.test(text)) {
    try {
      const file = JSON.parse(text) as KnownFile;
      if (file.anomaly) return new Set(wordsOf(file.verdict, file.anomaly, file.reproduction?.anomaly));
      return new Set(file.findings!.flatMap((finding) => wordsOf(finding.verdict, finding, finding.reproduced)));
    } catch {
      throw new UsageError(
        `--known ${path}: the file begins like JSON and holds no findings; expected fingerprints, one a line, or the findings.json of an earlier run.`,
      );
    }
  }
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const wrong = lines.findIndex((line) => line !== '' && !FINGERPRINT.test(line));
  // What stands there is not repeated: a file named by mistake may hold a secret.
  if (wrong >= 0)
    throw new UsageError(
      `--known ${path}, line ${wrong + 1}: this is no fingerprint; expected one such as G-single-item|rw:select>update:snapshot:0|ww:update>update:0, or the findings.json of an earlier run.`,
    );
  return new Set(lines.filter((line) => line !== ''));
}

/** The class comes first. */
const FINGERPRINT = /^[\w-]+\|/;

/** A file without a verdict is one that somebody wrote by hand: it means the fingerprint, whatever the documents say. */
function wordsOf(
  verdict: string | undefined,
  { class: name, shapes, fingerprint }: KnownAnomaly,
  reduced: KnownAnomaly | null | undefined,
): string[] {
  const prints = [fingerprint, ...(reduced ? [reduced.fingerprint] : [])].map((print) =>
    verdict === undefined ? print : `${verdict} ${print}`,
  );
  return verdict === 'documented' && name && shapes ? [...prints, kindOf({ class: name, shapes })] : prints;
}
