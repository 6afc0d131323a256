/** Reads the text that a person typed into a session: the begin or end of a transaction, or a statement of the target's grammar. */
import { isRefusal } from '../../core/dialect/index.ts';
import type { Statement } from '../../core/sql/index.ts';
import { piecesOf } from '../../schema-gen/index.ts';
import type { SteppedFixture } from './fixture.ts';

export type TypedStatement =
  | { readonly kind: 'begin' | 'commit' | 'rollback'; readonly sql: string }
  | { readonly kind: 'statement'; readonly sql: string; readonly statement: Statement };

/** Returns the statement, or the reason why the text is not sent. */
export function readStatement(text: string, { schema, importer }: SteppedFixture): TypedStatement | string {
  const { pieces, refused } = piecesOf(text);
  const wrong = refused[0]?.reason ?? (pieces.some(({ kind }) => kind === 'directive') ? 'a directive is for files' : undefined);
  if (wrong !== undefined) return `${wrong}; expected one statement`;
  const [piece, ...more] = pieces;
  if (piece === undefined) return 'nothing was typed; expected one statement';
  if (more.length > 0) return `${pieces.length} statements on one line; expected one, as each is a step of its own`;
  const sql = piece.text;
  for (const { kind, form } of CONTROL) if (form.test(sql)) return { kind, sql };
  const hint = HINTS.find(({ form }) => form.test(sql))?.says;
  if (hint !== undefined) return hint;
  const read = importer.statement({ sql, line: 1 }, schema, new Map());
  return isRefusal(read) ? read.reason : { kind: 'statement', sql, statement: read };
}

const CONTROL: readonly { readonly kind: 'begin' | 'commit' | 'rollback'; readonly form: RegExp }[] = [
  { kind: 'begin', form: /^(begin(\s+(work|transaction))?|start\s+transaction)$/i },
  { kind: 'commit', form: /^(commit|end)(\s+(work|transaction))?$/i },
  { kind: 'rollback', form: /^(rollback|abort)(\s+(work|transaction))?$/i },
];

const HINTS: readonly { readonly form: RegExp; readonly says: string }[] = [
  {
    form: /^(begin|start\s+transaction|set\s+(session\s+|local\s+)?transaction)\b/i,
    says: 'a transaction begins plainly here: BEGIN, at the level that its session has been given',
  },
];
