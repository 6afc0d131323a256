/**
 * The findings that are not new. A file of fingerprints, one on each line with `#` for comments, makes them known with
 * any verdict. The findings.json or explore.json of an earlier run, or one finding-<n>.json, makes a fingerprint known
 * only with its verdict there. So a finding that one level allows never hides a bug at another.
 *
 * For a documented finding such a file makes the kind known, since a busy run always finds new statements and longer
 * cycles of it. The kind of an anomaly is its class and common names. The kind of a family of programs is its oracle and
 * its difference. A finding is known by its own fingerprint or by that of its reduced case.
 */
import { readFileSync } from 'node:fs';
import { UsageError } from '../../core/index.ts';
import type { Anomaly, AnomalyFinding, ExploreFamily } from '../../core/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { kindOfFamily } from '../explore/fingerprint.ts';

/** A part of a run that a file has whole, as a baseline. */
export type ReportPart = 'rounds' | 'explored';

/** The words of known findings; see `readKnown`. */
export interface Known extends ReadonlySet<string> {
  /** Absent: the file has fingerprints only. */
  readonly tellsOf?: readonly ReportPart[];
}

export const NOTHING_KNOWN: Known = new Set<string>();

interface Judged extends Pick<AnomalyFinding, 'judgement'> {
  readonly anomaly: Pick<Anomaly, 'class' | 'shapes' | 'fingerprint'>;
  readonly reproduction?: { readonly anomaly: Pick<Anomaly, 'fingerprint'> } | undefined;
}

export function isKnown({ anomaly, reproduction, judgement: { verdict } }: Judged, known: Known): boolean {
  const prints = [anomaly, ...(reproduction ? [reproduction.anomaly] : [])].map(({ fingerprint }) => fingerprint);
  return (
    prints.some((print) => known.has(print) || known.has(`${verdict} ${print}`)) || (verdict === 'documented' && known.has(kindOf(anomaly)))
  );
}

/** A finding without a fingerprint, from an older version, is never known. */
export function isKnownFamily({ fingerprint, verdict }: Pick<ExploreFamily, 'fingerprint' | 'verdict'>, known: Known): boolean {
  return fingerprint !== undefined && [fingerprint, ...wordsOfFamily({ fingerprint, verdict })].some((word) => known.has(word));
}

/** Marks the families that the file has, and no others: what an earlier command was given as known counts no more. */
export function withAccepted(report: ExploreReport, known: Known): ExploreReport {
  const marked = (each: ExploreFamily): ExploreFamily => {
    const { accepted: _, ...family } = each;
    return isKnownFamily(family, known) ? { ...family, accepted: true } : family;
  };
  return { ...report, levels: report.levels.map((level) => ({ ...level, families: level.families.map(marked) })) };
}

function kindOf({ class: name, shapes }: Pick<Anomaly, 'class' | 'shapes'>): string {
  return `kind ${name} ${shapes.join()}`;
}

type KnownAnomaly = Pick<Anomaly, 'fingerprint'> & Partial<Pick<Anomaly, 'class' | 'shapes'>>;
type KnownFamily = Partial<Pick<ExploreFamily, 'fingerprint' | 'verdict'>>;

interface KnownFile {
  readonly findings?: readonly (KnownAnomaly & {
    readonly kind?: string;
    readonly verdict?: string;
    readonly reproduced?: KnownAnomaly | null;
  })[];
  /** A run has both parts. `campaign findings --json` has a list. */
  readonly explored?: KnownLevels | readonly { readonly family: KnownFamily }[];
  readonly verdict?: string;
  readonly anomaly?: KnownAnomaly;
  /** The family of a program's finding. */
  readonly family?: KnownFamily;
  readonly reproduction?: { readonly anomaly: KnownAnomaly };
  /** The findings of an exploration; those of a run have names. */
  readonly levels?: KnownLevels['levels'] | object;
}

interface KnownLevels {
  readonly levels: readonly { readonly families?: readonly KnownFamily[]; readonly findings?: readonly KnownFamily[] }[];
}

export function readKnown(path: string): Known {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(
      `--known ${path}: the file cannot be read; expected fingerprints, one a line, or the findings.json or explore.json of an earlier run.`,
    );
  }
  if (/^\s*[[{]/.test(text)) {
    try {
      return ofFile(JSON.parse(text) as KnownFile);
    } catch {
      throw new UsageError(
        `--known ${path}: the file begins like JSON and holds no findings; expected fingerprints, one a line, or the findings.json or explore.json of an earlier run.`,
      );
    }
  }
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  const wrong = lines.findIndex((line) => line !== '' && !FINGERPRINT.test(line));
  // The line is not repeated, because a file that is named by mistake may hold a secret.
  if (wrong >= 0)
    throw new UsageError(
      `--known ${path}, line ${wrong + 1}: this is no fingerprint; expected one such as G-single-item|rw:select>update:snapshot:0|ww:update>update:0, or the findings.json or explore.json of an earlier run.`,
    );
  return new Set(lines.filter((line) => line !== ''));
}

/** A fingerprint begins with the class. */
const FINGERPRINT = /^[\w-]+\|/;

/** Throws if the file holds no findings. */
function ofFile(file: KnownFile): Known {
  if (file.anomaly) return new Set(wordsOf(file.verdict, file.anomaly, file.reproduction?.anomaly));
  if (file.family) return new Set(wordsOfFamily(file.family));
  // The findings of the exploration are among these, and its own part names them.
  const rounds = file.findings
    ?.filter(({ kind = 'anomaly' }) => kind === 'anomaly')
    .flatMap((finding) => wordsOf(finding.verdict, finding, finding.reproduced));
  const explored = familiesIn(file)?.flatMap(wordsOfFamily);
  if (rounds === undefined && explored === undefined) throw new Error('no findings');
  const tellsOf: readonly ReportPart[] = [...(rounds ? (['rounds'] as const) : []), ...(explored ? (['explored'] as const) : [])];
  return Object.assign(new Set([...(rounds ?? []), ...(explored ?? [])]), { tellsOf });
}

/** Undefined: the file has no exploration. */
function familiesIn({ findings, explored, levels }: KnownFile): readonly KnownFamily[] | undefined {
  if (explored !== undefined && !('levels' in explored)) return explored.map(({ family }) => family);
  const all = explored?.levels ?? (findings === undefined && Array.isArray(levels) ? (levels as KnownLevels['levels']) : undefined);
  return all?.flatMap((level) => (level.families ?? level.findings)!);
}

/** A file without a verdict was written by hand. Its fingerprints are known with any verdict. */
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

/** Without a fingerprint, from an older version, nothing is known by the family. */
function wordsOfFamily({ verdict, fingerprint }: KnownFamily): readonly string[] {
  if (fingerprint === undefined) return [];
  if (verdict === undefined) return [fingerprint];
  return [`${verdict} ${fingerprint}`, ...(verdict === 'documented' ? [`kind ${kindOfFamily(fingerprint)}`] : [])];
}
