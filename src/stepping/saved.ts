/** What was stepped, as files that others run: an isolationtester spec, a script for two terminals, a workload file. */
import type { Dialect, PlainRun } from '../../core/index.ts';
import { headerOf, levelWords, oneLine, plainCase, scriptOf, specOf } from '../../reports/index.ts';
import { sessionName, txnName } from './step.ts';
import type { SteppedRecord, SteppedTxn } from './step.ts';
import { levelsOf } from './stepped-case.ts';
import type { SteppedWorld } from './world.ts';

export interface Saving {
  /** The twin's run: what the files say came back is what it was told, which is what the bench was told. */
  readonly plain: PlainRun;
  readonly record: SteppedRecord;
  readonly world: SteppedWorld;
  readonly dialect: Dialect;
  /** As the server names itself. */
  readonly server: string;
  /** What the graph shows, in a few words; absent: nothing. */
  readonly shows?: string | undefined;
}

export type SavedForm = 'spec' | 'sql' | 'workload';

/** By the end of a file's name; `.workload.sql` before `.sql`. */
export const SAVED_AS: readonly { readonly form: SavedForm; readonly end: string; readonly title: string }[] = [
  { form: 'spec', end: '.spec', title: 'for isolationtester of PostgreSQL, and for anomalist replay' },
  { form: 'workload', end: '.workload.sql', title: 'a workload file: the world, and each committed transaction' },
  { form: 'sql', end: '.sql', title: 'for a client in each of several terminals' },
];

/** Undefined: no form has such a name. */
export function formOf(path: string): SavedForm | undefined {
  return SAVED_AS.find(({ end }) => path.endsWith(end))?.form;
}

export function savedText(form: SavedForm, saving: Saving): string {
  return WRITERS[form](saving);
}

const WRITERS: Readonly<Record<SavedForm, (saving: Saving) => string>> = {
  spec: (saving) => specOf(inOwnWords(saving), aboutOf(saving)),
  sql: (saving) => {
    const repro = plainCase(inOwnWords(saving), saving.plain.rate);
    return scriptOf(repro, headerOf(aboutOf(saving), repro), saving.dialect.vendor);
  },
  workload: (saving) => workloadText(saving),
};

function aboutOf({ record, server, shows }: Saving): readonly string[] {
  const levels = levelsOf(record.transactions).map(({ level }) => levelWords(level));
  return [`${shows === undefined ? '' : `${shows}, `}stepped by hand at ${levels.join(', ')}`, server];
}

/** Each statement as it was typed: where tables are named alone it means the same. */
function inOwnWords({ plain, record }: Saving): PlainRun {
  const texts = new Map(record.transactions.map(({ id, steps }) => [id, steps.map(({ sql }) => sql)]));
  const steps = plain.steps.map((step) => {
    if (CONTROL.has(step.kind)) return step;
    return { ...step, sql: texts.get(step.txn)?.shift() ?? step.sql };
  });
  return { ...plain, steps };
}

const CONTROL: ReadonlySet<string> = new Set(['begin', 'commit', 'rollback']);

/** What did not commit is no part of it: a workload's transactions are run from their beginning to their end. */
function workloadText(saving: Saving): string {
  const { record, world } = saving;
  const committed = record.transactions.filter(({ outcome }) => outcome === 'committed');
  return `${[
    ...aboutOf(saving).map((line) => `-- ${oneLine(line)}`),
    '',
    '-- @schema',
    ...world.made.map((sql) => `${sql};`),
    ...committed.flatMap((txn) => ['', ...transactionLines(txn)]),
  ].join('\n')}\n`;
}

function transactionLines({ id, session, steps }: SteppedTxn): readonly string[] {
  const sent = steps.filter(({ reply }) => reply !== undefined);
  return [`-- @transaction ${txnName(id)}`, `-- In ${sessionName(session)}.`, ...sent.map(({ sql }) => `${sql};`)];
}
