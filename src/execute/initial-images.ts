/** Reads the user columns of the initial rows before the sessions begin. They include the server's own defaults and numbers. */
import { RID_COLUMN, asText, userColumnsOf } from '../../core/index.ts';
import type { Connection, Dialect, ImagesEvent, ProbedCase, Select } from '../../core/index.ts';

export async function initialImages(
  dialect: Dialect,
  connection: Connection,
  probedCase: ProbedCase,
  namespace: string,
): Promise<readonly ImagesEvent[]> {
  const events: ImagesEvent[] = [];
  for (const table of probedCase.schema.tables) {
    const { name } = table;
    const items = userColumnsOf(table).map((each) => ({ expression: asText(name, each.name), alias: each.name }));
    const select: Select = {
      kind: 'select',
      items: [{ expression: { kind: 'column', table: name, column: RID_COLUMN }, alias: RID_COLUMN }, ...items],
      from: { kind: 'table', table: name, alias: name },
    };
    const { rows } = await connection.query(dialect.print(select, namespace));
    events.push({ e: 'images', table: name, rids: rows.map((row) => row[0] ?? ''), images: rows.map((row) => row.slice(1)) });
  }
  return events;
}
