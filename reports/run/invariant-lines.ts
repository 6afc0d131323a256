/** Describes a workload file's invariants, and the finding that broke one. */
import type { InvariantCause, InvariantReport, LevelReport, Report } from '../../core/verdict/index.ts';
import { commonName } from '../../core/level/index.ts';
import { isProgram, type AnyFinding } from '../finding/facts.ts';
import { storedInvariant, untracedWords } from '../notes/invariant-reason.ts';
import { counted } from '../text/words.ts';
import { numberedFindings, numberedLines } from './figures.ts';
import { yoursWords } from './invariants.ts';

type At = Pick<LevelReport, 'target' | 'level'>;

/** Returns one line for each invariant of a level. */
export function invariantLines(report: Report, level: LevelReport): readonly string[] {
  return (level.invariants ?? []).map((invariant) => {
    const { name, rounds, broken, first, verdict, brokenBy } = invariant;
    const untraced = untracedWords(invariant);
    if (broken === 0 || first === undefined) return `${name}: held after ${counted(rounds, 'round')}`;
    const who = verdict === 'yours' ? `: ${yoursWords(invariant, 'it')}` : verdict === undefined ? '' : ` (${verdict})`;
    const by =
      brokenBy !== undefined ? `, by ${causeWords(report, level, brokenBy)}` : untraced !== undefined ? `; cause unknown: ${untraced}` : '';
    return `${name}: BROKEN after ${broken} of ${counted(rounds, 'round')}${who}${by}; first after round ${first.round} (${first.rows})`;
  });
}

/** Returns `finding 2 (lost update) of T5 (redeem) and T9 (redeem), which break it alone in 3 of 3 runs ...`. */
function causeWords(report: Report, at: At, cause: InvariantCause): string {
  const n = causeNumber(report, at, cause);
  const { seen, tries } = cause.replayed;
  const who = cause.transactions.map(({ id, name }) => `T${id}${name === undefined ? '' : ` (${name})`}`).join(' and ');
  return `${n === undefined ? commonName(cause) : `finding ${n} (${commonName(cause)})`} of ${who}: replayed alone${cause.fromFirstRows ? ' from the first rows' : ''} they break it in ${seen} of ${counted(tries, 'run')}, and in 0 of ${counted(cause.inTurn, 'serial order')}`;
}

/** Returns the number of the finding that broke it; undefined: that finding was not kept. */
export function causeNumber(report: Report, at: At, cause: InvariantCause): number | undefined {
  return [...numberedFindings(report), ...numberedLines(report)].find(({ finding }) => tellsOf(finding, at, cause))?.n;
}

/** Returns the names of the invariants that a finding broke. */
export function brokenInvariants({ levels }: Pick<Report, 'levels'>, finding: AnyFinding): readonly string[] {
  if (isProgram(finding)) return finding.family.example.breaks;
  return levels.flatMap((level) =>
    (level.invariants ?? []).flatMap(({ name, brokenBy }) => (brokenBy !== undefined && tellsOf(finding, level, brokenBy) ? [name] : [])),
  );
}

/** Returns one sentence about a finding; empty: it broke no invariant. */
export function brokenSentence(names: readonly string[]): string {
  return names.length === 0
    ? ''
    : `It breaks the ${names.length === 1 ? 'invariant' : 'invariants'} ${names.join(', ')} of the workload file.`;
}

function tellsOf(finding: AnyFinding, at: At, cause: InvariantCause): boolean {
  if (isProgram(finding)) return false;
  const { target, level, anomaly } = finding;
  return target === at.target && level === at.level && anomaly.class === cause.class && anomaly.fingerprint === cause.fingerprint;
}

export type InvariantJson = InvariantReport & { readonly brokenBy?: InvariantCause & { readonly finding: number | null } };

/** Adds the number of the finding that broke the invariant; null: it was not kept. */
export function invariantJson(report: Report, level: LevelReport): readonly InvariantJson[] {
  return (level.invariants ?? []).map(({ brokenBy, ...rest }) => ({
    ...storedInvariant(rest),
    ...(brokenBy && { brokenBy: { ...brokenBy, finding: causeNumber(report, level, brokenBy) ?? null } }),
  }));
}
