/**
 * Describes an edge of a cycle in the user's words: which statement did what to which row, and which transaction
 * therefore comes first. The formal sentence about versions is the checker's own (CycleStep.explanation) and stands
 * beside it.
 */
import type { RelName } from '../../core/level/index.ts';
import type { CycleStep, AnomalyFinding, ReportedStatement, ReportedVersion } from '../../core/verdict/index.ts';
import { rowWords } from './row-words.ts';

interface StepFacts {
  readonly from: string;
  readonly to: string;
  /** The row, such as `orders 42`. */
  readonly row: string;
  /** The values that the statement saw, and its change, in brackets and with a space before; empty: unknown. */
  readonly fromHeld: string;
  readonly fromChanged: string;
  readonly toChanged: string;
  readonly deleted: boolean;
  readonly table: string;
  /** The words ` by a trigger` if the statement itself does not write the table; otherwise empty. */
  readonly fromBy: string;
  readonly toBy: string;
}

const SENTENCES: Readonly<Record<RelName, (facts: StepFacts) => string>> = {
  ww: ({ from, to, row, fromChanged, toChanged, deleted, fromBy, toBy }) =>
    `${from} wrote ${row}${fromChanged}${fromBy}; ${to} ${deleted ? 'then deleted it' : `wrote it next${toChanged}${toBy}`}.`,
  wr: ({ from, to, row, fromChanged, fromBy }) => `${from} wrote ${row}${fromChanged}${fromBy}; ${to} read that.`,
  rw: ({ from, to, row, fromHeld, toChanged, deleted, toBy }) =>
    `${from} read ${row}${fromHeld}; ${to} ${deleted ? 'then deleted it' : `wrote its next version${toChanged}${toBy}`}, which the first did not see.`,
  wrp: ({ from, to, row, fromChanged, table }) =>
    `${from} wrote ${row}${fromChanged}, which changed which rows of ${table} match the condition of ${to}; ${to} saw the change.`,
  rwp: ({ from, to, row, toChanged, table, deleted }) =>
    `${from} read ${table} by a condition; ${to} later ${deleted ? 'deleted' : 'wrote'} ${row}${deleted ? '' : toChanged}, which changes which rows match.`,
  so: ({ from, to }) => `${from} and then ${to} ran in one session.`,
  rt: ({ from, to }) => `The COMMIT of ${from} was acknowledged before ${to} began.`,
};

/** Undefined if the edge does not rest on two statements and one row. Then only the formal sentence is printed. */
export function stepSentence(finding: Pick<AnomalyFinding, 'statements' | 'rows' | 'setupMakes'>, step: CycleStep): string | undefined {
  const { rel, table, row, inferred, cascade } = step;
  const first = `T${step.from} comes before T${step.to}.`;
  if (rel === 'so' || rel === 'rt') return SENTENCES[rel]({ ...NOTHING, from: `T${step.from}`, to: `T${step.to}` });
  if (inferred === true || cascade !== undefined || row === undefined || table === undefined) return undefined;
  const words = rowWords(finding);
  const statement = (index: number | undefined): ReportedStatement | undefined => finding.statements.find((each) => each.index === index);
  const from = statement(step.fromStatement);
  const to = statement(step.toStatement);
  if ((from === undefined && step.from !== 0) || to === undefined) return undefined;
  const reads = rel === 'rw' || rel === 'rwp';
  const before = seen(from, table, row, reads);
  const after = seen(to, table, row, !reads && rel !== 'ww');
  const inBrackets = (text: string): string => (text === '' ? '' : ` (${text})`);
  const facts: StepFacts = {
    from: nameOf(from),
    to: nameOf(to),
    row: words.name(table, row),
    fromHeld: before === undefined ? '' : inBrackets(words.held(before)),
    fromChanged: before === undefined ? '' : inBrackets(words.changed(before)),
    toChanged: after === undefined ? '' : inBrackets(words.changed(after)),
    deleted: to.versions.some((each) => each.role === 'delete' && each.rid === row && each.table === table),
    table: words.name(table, '').trim(),
    fromBy: byTrigger(finding, from, table),
    toBy: byTrigger(finding, to, table),
  };
  return `${SENTENCES[rel](facts)} So ${first}`;
}

const NOTHING: StepFacts = {
  from: '',
  to: '',
  row: '',
  fromHeld: '',
  fromChanged: '',
  toChanged: '',
  deleted: false,
  table: '',
  fromBy: '',
  toBy: '',
};

/** The statement's own rows are known, and none of them is of the table. */
function byTrigger(
  { setupMakes = [] }: Pick<AnomalyFinding, 'setupMakes'>,
  statement: ReportedStatement | undefined,
  table: string,
): string {
  const written = (statement?.versions ?? []).filter(({ role }) => role !== 'read');
  const isOwn = written.length === 0 || written.some((each) => each.table === table);
  return isOwn || !setupMakes.some(({ makes }) => makes === 'routine') ? '' : ' by a trigger';
}

/** Returns the one version of the row that the statement read or wrote; undefined: none, or several. */
function seen(statement: ReportedStatement | undefined, table: string, row: string, read: boolean): ReportedVersion | undefined {
  const all = (statement?.versions ?? []).filter((each) => each.rid === row && each.table === table && (each.role === 'read') === read);
  return new Set(all.map(({ list }) => list)).size === 1 ? all[0] : undefined;
}

/** Returns `T2’s UPDATE (statement 3)`, or `T2’s UPDATE` if it is the only one. */
function nameOf(statement: ReportedStatement | undefined): string {
  if (statement === undefined) return 'The initial state';
  const { txn, kind, number } = statement;
  return `T${txn}’s ${kind.toUpperCase()}${number === 0 ? '' : ` (statement ${number})`}`;
}
