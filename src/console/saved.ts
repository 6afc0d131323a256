/** Saves the steps as a file that others run: an isolationtester spec, a script for several terminals, or a workload file. */
import type { Dialect } from '../../core/dialect/index.ts';
import type { PlainRun } from '../../core/verdict/index.ts';
import { headerOf, levelWords, oneLine, plainCase, scriptOf, specOf } from '../../reports/index.ts';
import { sessionName, txnName } from './step.ts';
import type { SteppedRecord, SteppedTxn } from './step.ts';
import { ELSEWHERE, inTestersSql, speaksIt } from './testers-sql.ts';
import { levelsOf } from './stepped-case.ts';
import type { SteppedFixture } from './fixture.ts';

export interface Saving {
  /** The shadow's run has the replies that the files show. They are equal to those of the console. */
  readonly plain: PlainRun;
  readonly record: SteppedRecord;
  readonly fixture: SteppedFixture;
  readonly dialect: Dialect;
  /** The server describes its version so. */
  readonly server: string;
  /** The anomaly that the graph shows, in a few words. Absent: it shows none. */
  readonly shows?: string | undefined;
}

export type SavedForm = 'spec' | 'sql' | 'workload';

/** The end of a file's name decides its form. `.workload.sql` comes before `.sql`, which it ends with. */
export const SAVED_AS: readonly { readonly form: SavedForm; readonly end: string; readonly title: string }[] = [
  { form: 'spec', end: '.spec', title: 'for isolationtester of PostgreSQL, and for anomalist replay' },
  { form: 'workload', end: '.workload.sql', title: 'a workload file: the fixture, and each committed transaction' },
  { form: 'sql', end: '.sql', title: 'for a client in each of several terminals' },
];

/** Returns the form of the file. Undefined: no form has a name that ends so. */
export function formOf(path: string): SavedForm | undefined {
  return SAVED_AS.find(({ end }) => path.endsWith(end))?.form;
}

/** Returns the file's text. A bare string is the reason why the form cannot hold the steps. */
export function savedText(form: SavedForm, saving: Saving): string | { readonly text: string } {
  return WRITERS[form](saving);
}

const WRITERS: Readonly<Record<SavedForm, (saving: Saving) => string | { readonly text: string }>> = {
  spec: (saving) => {
    const own = inTestersSql(inOwnWords(saving), saving);
    if (typeof own === 'string') return own;
    const wrong = [...own.setup, ...own.steps.map(({ sql }) => sql)].find((sql) => sql.includes('}'));
    if (wrong !== undefined) return `a .spec ends each SQL text at its first }, so that it cannot hold ${oneLine(wrong)}`;
    return { text: specOf(own, [...aboutOf(saving), ...(speaksIt(saving.dialect) ? [] : [ELSEWHERE])]) };
  },
  sql: (saving) => {
    const repro = plainCase(inOwnWords(saving), saving.plain.rate);
    return { text: scriptOf(repro, headerOf(aboutOf(saving), repro), saving.dialect.vendor) };
  },
  workload: (saving) => ({ text: workloadText(saving) }),
};

function aboutOf({ record, server, shows }: Saving): readonly string[] {
  const levels = levelsOf(record.transactions).map(({ level }) => levelWords(level));
  return [`${shows === undefined ? '' : `${shows}, `}stepped by hand at ${levels.join(', ')}`, server];
}

/** Replaces each statement by its typed text. It means the same, because it names tables without a schema. */
function inOwnWords({ plain, record, shows }: Saving): PlainRun {
  const texts = new Map(record.transactions.map(({ id, steps }) => [id, steps.map(({ sql }) => sql)]));
  const steps = plain.steps.map((step) => {
    if (CONTROL.has(step.kind)) return step;
    return { ...step, sql: texts.get(step.txn)?.shift() ?? step.sql };
  });
  return { ...plain, steps, explanation: explanationOf(plain, shows) };
}

/** The explanation of a replay is about an anomaly. Steps by hand need not show one. */
function explanationOf({ explanation, proof, serialOrders }: PlainRun, shows: string | undefined): string {
  if (shows !== undefined || proof === 'results') return explanation;
  const order = serialOrders.find(({ explains }) => explains)?.order;
  return order === undefined
    ? 'What came back is told; nothing is concluded from it.'
    : `The serial order ${order.map(txnName).join(', ')} gives what was observed.`;
}

const CONTROL: ReadonlySet<string> = new Set(['begin', 'commit', 'rollback']);

/** Only committed transactions are part of the file, because a workload runs its transactions from begin to end. */
function workloadText(saving: Saving): string {
  const { record, fixture } = saving;
  const committed = record.transactions.filter(({ outcome }) => outcome === 'committed');
  return `${[
    ...aboutOf(saving).map((line) => `-- ${oneLine(line)}`),
    '',
    '-- @schema',
    ...fixture.made.map((sql) => `${sql};`),
    ...committed.flatMap((txn) => ['', ...transactionLines(txn)]),
  ].join('\n')}\n`;
}

function transactionLines({ id, session, steps }: SteppedTxn): readonly string[] {
  const sent = steps.filter(({ reply }) => reply !== undefined);
  return [`-- @transaction ${txnName(id)}`, `-- In ${sessionName(session)}.`, ...sent.map(({ sql }) => `${sql};`)];
}
