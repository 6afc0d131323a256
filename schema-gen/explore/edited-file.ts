/**
 * A mitigation as a change of the file's text: statements that are replaced, removed or inserted, and constraints
 * after the tables. The DBMS's importer reads the changed text again, so that the text which is shown is the one that
 * was tried.
 */
import type { SqlImporter, SqlText } from '../../core/dialect/index.ts';
import { importWorkload } from '../workload-file/import.ts';
import type { WorkloadTemplates } from '../workload-file/import.ts';
import type { StepText, WorkloadFile } from '../workload-file/parse.ts';
import { countOf, stopOf, withValues } from '../workload-file/text.ts';

/** A workload file as it was parsed, as the importer read it, and that importer. */
export interface ReadWorkload {
  readonly file: WorkloadFile;
  readonly templates: WorkloadTemplates;
  readonly importer: SqlImporter;
}

/** A change at one statement of a transaction: the nth of those outside of repeats, from 0. */
export interface StatementEdit {
  readonly at: number;
  /** Statements in front of it. */
  readonly before?: readonly string[];
  /** The text that replaces it. */
  readonly text?: string;
  /** The statement is removed, with each IF and GET DIAGNOSTICS behind it. */
  readonly removed?: true;
  /** Statements directly behind it. */
  readonly behind?: readonly string[];
}

export interface FileEdit {
  /** The key is the transaction's place in the file. */
  readonly transactions?: ReadonlyMap<number, readonly StatementEdit[]>;
  /** Statements after the tables and rows. */
  readonly schema?: readonly string[];
}

/**
 * Returns the texts of a transaction's statements, on one line and without comments. An IF or GET DIAGNOSTICS belongs
 * to the statement before it.
 */
export function statementTexts({ file }: ReadWorkload, place: number): readonly string[] {
  return file.transactions[place]!.steps.flatMap((step) =>
    step.kind === 'statement' && isOwn(step.text) ? [withValues(step.text.sql, (name) => `:${name}`) ?? step.text.sql] : [],
  );
}

/** Returns the templates of the changed file, or undefined if the importer refuses its text. */
export function editedTemplates({ file, importer }: ReadWorkload, edit: FileEdit): WorkloadTemplates | undefined {
  const { templates, refused } = importWorkload(editedFile(file, edit), importer);
  return refused.length === 0 ? templates : undefined;
}

function editedFile(file: WorkloadFile, { transactions = new Map(), schema = [] }: FileEdit): WorkloadFile {
  const line = file.schema.at(-1)?.line ?? 1;
  return {
    ...file,
    schema: [...file.schema, ...schema.map((sql): SqlText => ({ sql, line }))],
    transactions: file.transactions.map((each, place) => {
      const edits = transactions.get(place);
      return edits === undefined ? each : { ...each, steps: editedSteps(each.steps, edits) };
    }),
  };
}

function editedSteps(steps: readonly StepText[], edits: readonly StatementEdit[]): readonly StepText[] {
  let n = -1;
  let removed = false;
  return steps.flatMap((step): readonly StepText[] => {
    if (step.kind !== 'statement') return [step];
    const { text } = step;
    const put = (sql: string): StepText => ({ kind: 'statement', text: { sql, line: text.line } });
    if (!isOwn(text)) return removed ? [] : [step];
    n++;
    const own = edits.filter(({ at }) => at === n);
    removed = own.some((each) => each.removed);
    const replaced = own.find((each) => each.text !== undefined)?.text;
    return [
      ...own.flatMap(({ before = [] }) => before.map(put)),
      ...(removed ? [] : [replaced === undefined ? step : put(replaced)]),
      ...own.flatMap(({ behind = [] }) => behind.map(put)),
    ];
  });
}

function isOwn({ sql }: SqlText): boolean {
  return stopOf(sql) === undefined && countOf(sql) === undefined;
}
