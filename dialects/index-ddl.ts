/** CREATE INDEX for indexes beyond a B-tree over whole columns of all rows. All DBMSs that have one of these spell it alike. */
import type { Expression, Index, IndexKind, IndexShape } from '../core/sql/index.ts';

interface IndexPrinter {
  identifier(name: string): string;
  expression(expression: Expression): string;
}

interface Words {
  readonly using?: string;
  readonly keys: string;
  readonly where?: string;
}

type Print<K extends IndexKind> = (shape: Extract<IndexShape, { readonly kind: K }>, columns: readonly string[], to: IndexPrinter) => Words;

const SHAPES: { readonly [K in IndexKind]: Print<K> } = {
  descending: (_, columns) => ({ keys: columns.map((column) => `${column} DESC`).join(', ') }),
  hash: (_, columns) => ({ using: 'hash', keys: columns.join(', ') }),
  brin: (_, columns) => ({ using: 'brin', keys: columns.join(', ') }),
  prefix: ({ length }, columns) => ({ keys: columns.map((column) => `${column}(${length})`).join(', ') }),
  partial: ({ where }, columns, to) => ({ keys: columns.join(', '), where: to.expression(where) }),
  expression: ({ expression, where }, _, to) => ({ keys: `(${to.expression(expression)})`, ...(where && { where: to.expression(where) }) }),
};

/** `on`: the table's name, quoted and with its namespace. */
export function createIndex({ name, columns, unique }: Index, shape: IndexShape, on: string, to: IndexPrinter): string {
  const print = SHAPES[shape.kind] as Print<IndexKind>;
  const { using, keys, where } = print(
    shape,
    columns.map((column) => to.identifier(column)),
    to,
  );
  return [
    `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${to.identifier(name)} ON ${on}`,
    ...(using === undefined ? [] : [`USING ${using}`]),
    `(${keys})`,
    ...(where === undefined ? [] : [`WHERE ${where}`]),
  ].join(' ');
}
