/** The user columns of the initial rows, read before the sessions begin: the server's own defaults and numbers included. */
import { LIST_COLUMN, RID_COLUMN } from '../../core/index.ts';
import type { Connection, Dialect, Expression, ImagesEvent, ProbedCase, Select } from '../../core/index.ts';

export async function initialImages(dialect: Dialect, connection: Connection, probedCase: ProbedCase, namespace: string): Promise<readonly ImagesEvent[]> {
  const events: ImagesEvent[] = [];
  for (const { name, columns } of probedCase.schema.tables) {
    const column = (each: string): Expression => ({ kind: 'column', table: name, column: each });
    const users = columns.filter((each) => each.name !== RID_COLUMN && each.name !== LIST_COLUMN);
    const items = users.map((each) => ({ expression: { kind: 'concat', operands: [column(each.name), { kind: 'literal', type: 'text', value: '' }] } as const, alias: each.name }));
    const select: Select = { kind: 'select', items: [{ expression: column(RID_COLUMN), alias: RID_COLUMN }, ...items], from: { kind: 'table', table: name, alias: name } };
    const { rows } = await connection.query(dialect.print(select, namespace));
    events.push({ e: 'images', table: name, rids: rows.map((row) => row[0] ?? ''), images: rows.map((row) => row.slice(1)) });
  }
  return events;
}
