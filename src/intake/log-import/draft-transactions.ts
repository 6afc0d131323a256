/** Writes shapes as transactions of a workload file: named by what they do, with their statements as texts with parameters. */
import type { Schema } from '../../../core/sql/index.ts';
import type { Note } from '../../../core/history/index.ts';
import { parametersOf, type DraftParameter } from './parameters.ts';
import { identifier, tablesIn } from './places.ts';
import type { Piece } from './pieces.ts';
import type { Shape } from './shapes.ts';
import type { Texts } from './texts.ts';
import { withoutDefaults } from './without-defaults.ts';

export interface DraftTransaction {
  readonly name: string;
  /** The options after the name: weight, rollback, autocommit. */
  readonly options: string;
  readonly notes: readonly Note[];
  readonly parameters: readonly DraftParameter[];
  readonly statements: readonly DraftStatement[];
  /** The reason why the whole transaction is a comment. */
  readonly left?: Note<'transaction-left-out'>;
}

export interface DraftStatement {
  readonly sql: string;
  /** The statement takes no lock and changes nothing, so it may be omitted. Only a read is then missing. */
  readonly plainRead: boolean;
  /** The importer's reason why it is a comment. */
  readonly left?: string;
}

const HEAVIEST = 100;

/** Returns the transactions, the most frequent first. */
export function draftTransactions(
  shapes: readonly Shape[],
  schema: Schema | undefined,
  texts: Texts,
  computing: boolean,
): readonly DraftTransaction[] {
  const names = new Set<string>();
  const rarest = Math.min(...shapes.map(({ committed }) => committed));
  return shapes.map((shape) => {
    const { parameters, slots, reads, notes } = parametersOf(shape, schema, texts, computing);
    const weight = Math.min(HEAVIEST, Math.max(1, Math.round(shape.committed / rarest)));
    const share = Math.round((100 * shape.rolledBack) / (shape.committed + shape.rolledBack));
    const options = [weight > 1 ? `weight=${weight}` : '', share > 0 ? `rollback=${share}%` : '', shape.alone ? 'autocommit' : ''];
    let slot = 0;
    const statements = shape.statements.map((pieces, n): DraftStatement => {
      const sql = textOf(withoutDefaults(pieces), () => slots[slot++]!);
      const into = reads.get(n)?.map((name) => `:${name}`);
      return { sql: into === undefined ? sql : sql.replace(/ from /i, ` INTO ${into.join(', ')}$&`), plainRead: isPlainRead(sql) };
    });
    return {
      name: nameOf(shape, names),
      options: options.filter((each) => each !== '').join(' '),
      notes: [...notesOf(shape), ...notes],
      parameters,
      statements,
      ...(shape.essential !== undefined && { left: { code: 'transaction-left-out', data: { why: 'essential', what: shape.essential } } }),
    };
  });
}

function notesOf({ committed, rolledBack, levels, aside }: Shape): readonly Note[] {
  const notes: Note[] = [{ code: 'seen-in-log', data: { times: committed + rolledBack, rolledBack } }];
  if (levels.size > 0) notes.push({ code: 'levels-in-log', data: { levels: [...levels] } });
  if (aside.size > 0) notes.push({ code: 'left-out-between', data: { statements: [...aside] } });
  return notes;
}

function isPlainRead(sql: string): boolean {
  return /^select\b/i.test(sql) && !/\bfor\s+(?:no key |key )?(?:update|share)\b|\block|\binto\b/i.test(sql);
}

/** The text stands on one line, because it may become a comment, which ends with its line. */
function textOf(pieces: readonly Piece[], slot: () => string): string {
  return pieces
    .map(({ kind, text, apart }, i) => `${i > 0 && apart && pieces[i - 1]!.text !== '(' ? ' ' : ''}${kind === 'slot' ? slot() : text}`)
    .join('')
    .replace(/\s*\n\s*/g, ' ');
}

const LONGEST_NAME = 60;

/** Returns names such as update-products-insert-orders and read-products. */
function nameOf({ statements }: Shape, names: Set<string>): string {
  const writes = new Set<string>();
  const reads = new Set<string>();
  for (const pieces of statements) {
    const verb = pieces[0]!.text.toLowerCase();
    const [table] = tablesIn(pieces).values();
    const written = verb === 'update' ? identifier(pieces[1]) : undefined;
    if (/^(?:insert|update|delete|replace|merge)$/.test(verb))
      writes.add(`${verb}-${written !== undefined && pieces[2]?.text !== '.' ? written : (table ?? 'rows')}`);
    else if (/^(?:select|with)$/.test(verb)) reads.add(table ?? 'rows');
  }
  const words = writes.size > 0 ? [...writes] : [`read-${[...reads].join('-')}`];
  const base = words
    .join('-')
    .replace(/[^\w-]+/g, '_')
    .slice(0, LONGEST_NAME)
    .replace(/-+$/, '');
  for (let n = 1; ; n++) {
    const name = n === 1 ? base : `${base}-${n}`;
    if (names.has(name)) continue;
    names.add(name);
    return name;
  }
}
