/**
 * Judges runs of a .spec that no serial order explains. The promise table of the level judges them like every difference
 * of `explore`. If probes can be added, the same order is judged by the class that it then shows.
 */
import { judge } from '../../../check/index.ts';
import { DatabaseError } from '../../../core/base/index.ts';
import type { Judgement, PromiseVerdict } from '../../../core/level/index.ts';
import type { Dialect, DialectLevel, ServerFacts } from '../../../core/dialect/index.ts';
import type { Anomaly, SpecEvidence } from '../../../core/verdict/index.ts';
import { assessHistory } from '../../judge/assess/graph.ts';
import { classifyBy, judgedAs } from '../../explore/classify.ts';
import type { Naming } from '../../explore/classify.ts';
import { judgeDifference } from '../../explore/difference.ts';
import type { Judged } from '../../explore/difference.ts';
import type { DifferenceKind } from '../../explore/difference-kinds.ts';
import { rowsText } from '../../reproduce/serial-outcomes.ts';
import type { Reply } from '../../explore/program-runner.ts';
import { replyKey, stateKey } from '../../explore/outcome.ts';
import type { Replayer } from '../../reproduce/replayer.ts';
import type { Spec } from './parse-spec.ts';
import { caseOfRun } from './spec-case.ts';
import type { SpecRun } from './spec-runner.ts';
import type { SerialRun } from './spec-serial.ts';
import { leavesSnapshots, mayBeSnapshots } from './spec-snapshots.ts';
import type { SpecTransaction } from './spec-transactions.ts';

/** A run that no serial order explains. */
export interface SpecWitness {
  readonly run: SpecRun;
  /** All transactions, and those that committed. */
  readonly transactions: readonly SpecTransaction[];
  readonly serial: readonly SerialRun[];
}

export interface JudgedSpec {
  readonly judgement: Judgement;
  readonly evidence: SpecEvidence;
}

interface JudgeSetup {
  readonly replayer: Replayer;
  readonly spec: Spec;
  readonly level: DialectLevel;
}

const WORST: Readonly<Record<PromiseVerdict, number>> = { bug: 0, undocumented: 1, documented: 2 };

/** Judges the worst of these by their outcomes alone, and names that one's class. */
export async function judgeSpec(witnesses: readonly SpecWitness[], setup: JudgeSetup): Promise<JudgedSpec> {
  const { replayer, level, spec } = setup;
  const { dialect } = replayer.target;
  const { configuration } = await replayer.server();
  const promised: Promised = { dialect, level, configuration };
  const judgeOf = (anomaly: Anomaly): Judgement => judge(anomaly, level.level, configuration, dialect.promises, dialect);
  const judged = witnesses
    .map((witness) => ({ witness, ...judgeAnswers(witness, spec, promised) }))
    .toSorted((a, b) => WORST[a.judgement.verdict] - WORST[b.judgement.verdict]);
  const { witness, kind, judgement } = judged[0]!;
  const naming = await nameClass(witness, kind, judgeOf, setup);
  const { verdict, row } = judgedAs(naming, { kind, judgement });
  return {
    judgement: { verdict, ...(row !== undefined && 'classes' in row && { row }) },
    evidence: evidenceOf(witness, naming, setup.spec),
  };
}

/** The vendor's promise at a level of a server. */
export interface Promised {
  readonly dialect: Dialect;
  readonly level: DialectLevel;
  readonly configuration: ServerFacts['configuration'];
}

/** Judges by the answers and the promise table alone. */
export function judgeAnswers(
  witness: Pick<SpecWitness, 'transactions' | 'serial'>,
  spec: Pick<Spec, 'setup' | 'sessions'>,
  { dialect, level, configuration }: Promised,
): { readonly kind: DifferenceKind; readonly judgement: Judged } {
  const { kind, codes } = kindOf(witness, spec);
  const errors = (dialect.allowedErrors ?? []).filter(({ levels }) => levels.includes(level.level));
  const judgeOf = (anomaly: Anomaly): Judgement => judge(anomaly, level.level, configuration, dialect.promises, dialect);
  return { kind, judgement: judgeDifference({ kind, codes }, { judge: judgeOf, errors }) };
}

/**
 * Returns the kind by answers. If no snapshots explain them, that is certain. The reverse is not, because the final rows
 * are not compared. A constraint's error counts only if some serial order does not have it.
 */
export function kindOf(
  { transactions, serial }: Pick<SpecWitness, 'transactions' | 'serial'>,
  spec: Pick<Spec, 'setup' | 'sessions'>,
): { readonly kind: DifferenceKind; readonly codes: readonly string[] } {
  const committed = transactions.filter((txn) => txn.committed);
  const codes = new Set(committed.flatMap((txn) => contradictingCodes(txn, serial)));
  const unsettled = leavesSnapshots(spec) || mayBeSnapshots(serial);
  if (codes.size > 0) return { kind: unsettled ? 'unsettled, rows alike, an error' : 'an error', codes: [...codes] };
  return { kind: unsettled ? 'unsettled, rows alike' : 'no snapshot', codes: [] };
}

function contradictingCodes(txn: SpecTransaction, serial: readonly SerialRun[]): readonly string[] {
  return txn.steps.flatMap(({ reply }, i) => {
    if (reply.error?.class !== 'constraint') return [];
    const always = serial.every(({ order, replies }) => replyKey(replies[order.indexOf(txn)]![i]!) === replyKey(reply));
    return always ? [] : [reply.error.code];
  });
}

async function nameClass(
  { run, transactions }: SpecWitness,
  kind: DifferenceKind,
  judgeOf: (anomaly: Anomaly) => Judgement,
  { replayer, spec, level }: JudgeSetup,
): Promise<Naming> {
  const testCase = await caseOfRun(spec, run, transactions, replayer.target.dialect);
  if (typeof testCase === 'string') return { unnamed: testCase };
  return classifyBy(
    async () => {
      try {
        const { history, complete, reason } = await replayer.attempt(testCase, { level, images: true });
        if (!complete) return `with probes it did not come to its end: ${reason ?? 'no reason given'}`;
        const { anomalies } = assessHistory(history, { levels: [level.level], report: 'all' }).verdict;
        return anomalies.filter(({ levels }) => levels.includes('serializable'));
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        return `the server refuses it with probes: ${error.message}`;
      }
    },
    { kind, judge: judgeOf },
  );
}

function evidenceOf({ run, serial }: SpecWitness, naming: Naming, spec: Spec): SpecEvidence {
  return {
    permutation: run.steps.map(({ item }) => item.name),
    orders: orderSentences({ run, serial }, spec),
    ...('named' in naming
      ? { named: { class: naming.named.anomaly.class, shapes: naming.named.anomaly.shapes, explanation: naming.named.anomaly.explanation } }
      : { unnamed: naming.unnamed }),
  };
}

/** Returns one sentence for each serial order, with the first result that differs. */
export function orderSentences({ run, serial }: Pick<SpecWitness, 'run' | 'serial'>, spec: Spec): readonly string[] {
  return serial.map((each) => `${nameOfOrder(each, spec)}: ${firstDifference(run, each)}.`);
}

/** Returns `s1 before s2`. A session with several transactions is named once for each. */
function nameOfOrder({ order }: SerialRun, { sessions }: Spec): string {
  return order.map(({ session }) => sessions[session]!.name).join(' before ');
}

function firstDifference({ tables }: SpecRun, serial: SerialRun): string {
  for (const [t, { steps }] of serial.order.entries())
    for (const [i, { item, reply }] of steps.entries()) {
      const would = serial.replies[t]![i]!;
      if (replyKey(reply) !== replyKey(would)) return `step ${item.name} would answer ${textOf(would)}; observed ${textOf(reply)}`;
    }
  const names = [...new Set([...Object.keys(tables), ...Object.keys(serial.tables)])];
  const of = (name: string, state: SpecRun['tables']): string => stateKey({ [name]: state[name] ?? [] });
  const name = names.find((each) => of(each, tables) !== of(each, serial.tables)) ?? names[0] ?? 'the schema';
  return `${name} would end as ${rowsText(serial.tables[name] ?? [])}; observed ${rowsText(tables[name] ?? [])}`;
}

function textOf({ rows, affected, error }: Reply): string {
  if (error !== undefined) return `an error (${error.code}: ${error.message})`;
  return rows.length > 0 ? rowsText(rows) : `${affected} ${affected === 1 ? 'row' : 'rows'}`;
}
