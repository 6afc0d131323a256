/** Prints on stderr what was read of a log, and everything that is not in the file. */
import type { LiveSchema } from '../live-schema/draft-schema.ts';
import { leftOutOf } from '../live-schema/left-out.ts';
import { approximations } from '../../workload/file.ts';
import type { ReadLog } from './read-log.ts';
import type { Drawn } from './rows.ts';
import type { Shape } from './shapes.ts';
import type { WrittenFile } from './write-file.ts';

export interface ImportedLog {
  readonly log: ReadLog;
  readonly written: WrittenFile;
  readonly dropped: { readonly others: readonly Shape[]; readonly rare: number };
  readonly rolledBackOnly: readonly Shape[];
  readonly rows: Drawn;
  readonly schema: LiveSchema | undefined;
}

const STDOUT = 'stdout';

export function importSummary({ log, written, dropped, rolledBackOnly, rows, schema }: ImportedLog): readonly string[] {
  const { leftOut, statements } = log.transactions;
  const { transactions } = log.shapes;
  const drafted = written.transactions.filter(({ left }) => left === undefined);
  const runs = (shapes: readonly Shape[]): number => shapes.reduce((sum, { committed, rolledBack }) => sum + committed + rolledBack, 0);
  const counted: readonly (readonly [number, string])[] = [
    [leftOut.failed, 'transactions in which a statement failed'],
    [leftOut.unfinished, 'transactions whose end is not in the log'],
    [leftOut.cut, 'transactions or statements whose text is cut, or of which servers read different things'],
    [leftOut.long, 'transactions of more statements than a file may hold'],
    [leftOut.unread, 'lines that are no entry'],
    [log.shapes.beyond, 'transactions of still other shapes'],
    [runs(dropped.others), `transactions of other databases (${names(dropped.others)})`],
    [runs(rolledBackOnly), 'transactions that were rolled back, of shapes that never were committed'],
    [dropped.rare, 'shapes that are rarer than the others (--most)'],
    [written.transactions.length - drafted.length, 'shapes that cannot be run as they are: they stand in comments, with the reason'],
  ];
  return [
    `${log.lines} lines of ${log.format.title}: ${statements} statements, ${transactions} transactions, of which ${drafted.length} shapes are written`,
    ...counted.filter(([n]) => n > 0).map(([n, what]) => `left out: ${n} ${what}`),
    ...[...leftOut.others].sort(([, a], [, b]) => b - a).map(([what, n]) => `left out: ${n} x ${what}`),
    ...(log.format.failuresUnknown ? ['not known: which statements failed; this log does not tell'] : []),
    ...(log.format.statementsAlone ? ['not known: which statements belong to one transaction, and their values; group them by hand'] : []),
    ...(schema === undefined ? ['not known: the schema, without which the file cannot be run; give --url'] : []),
    ...leftOutOf(STDOUT, written.file.split('\n-- @data')[0]!),
    ...rows.empty.map((name) => `not known: rows of ${name}; write them under @data`),
    ...approximations(STDOUT, written),
    ...written.refused.map(({ line, reason }) => `${STDOUT}:${line}: to be changed, as it is refused: ${reason}`),
  ];
}

const MOST_NAMED = 20;

function names(shapes: readonly Shape[]): string {
  const databases = [...new Set(shapes.map(({ database }) => (database === '' ? 'none' : database.replace(/\s+/g, ' '))))];
  return databases.length > MOST_NAMED ? `${databases.slice(0, MOST_NAMED).join(', ')} ...` : databases.join(', ');
}
