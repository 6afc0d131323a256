/** Finds the statements that rights and settings permit, by trying them in a namespace that is dropped afterwards. */
import { randomBytes } from 'node:crypto';
import { DatabaseError } from '../../core/index.ts';
import type { Capabilities, Dialect, Table } from '../../core/index.ts';

export interface Allowed {
  readonly capabilities: Capabilities;
  /** The server's refusals, a line each. */
  readonly refused: readonly string[];
}

const TABLE: Table = {
  name: 'tried',
  columns: [{ name: 'k', type: { kind: 'integer' }, nullable: false }],
  primaryKey: ['k'],
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [],
  rows: [],
};
const COUNTED: Table = { ...TABLE, name: 'counted', trigger: { does: 'counts', table: TABLE.name, column: 'k' } };

export async function allowedOn(dialect: Dialect, url: string, capabilities: Capabilities): Promise<Allowed> {
  if (capabilities.triggers !== 'perhaps') return { capabilities, refused: [] };
  const said = await refusedTrigger(dialect, url);
  if (said === undefined) return { capabilities: { ...capabilities, triggers: true }, refused: [] };
  const { triggers: _, ...others } = capabilities;
  return { capabilities: others, refused: [`triggers, as the server says: ${said}`] };
}

async function refusedTrigger(dialect: Dialect, url: string): Promise<string | undefined> {
  const namespace = `anomalist_explore_tried_${randomBytes(3).toString('hex')}`;
  const connection = await dialect.connect(url, {});
  let begun = false;
  try {
    await dialect.assertFree(connection, namespace);
    const [made, ...rest] = dialect.createNamespace(namespace, { tables: [TABLE, COUNTED] });
    await connection.query(made!);
    begun = true;
    for (const sql of rest) {
      const said = await saidTo(dialect, connection.query(sql));
      if (said !== undefined) return said;
    }
    return undefined;
  } finally {
    if (begun) await dialect.dropNamespace(connection, namespace);
    await connection.end();
  }
}

async function saidTo(dialect: Dialect, work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    const { scope, message } = dialect.classifyError(error);
    if (scope === 'connection') throw new DatabaseError(`the server was lost while a trigger was tried: ${message}`, { cause: error });
    return message;
  }
}
