/** Connections as the driver opens them, for the check that each is a session of its own (dialects/own-sessions.ts). */
import type { Client } from 'pg';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import { expectOwnSessions as expectThem } from '../own-sessions.ts';
import type { BareSession } from '../own-sessions.ts';
import { redact } from '../redact.ts';
import { connectError } from './connect-error.ts';
import { openClient } from './connection.ts';
import { MEMBER } from './member.ts';
import type { Member } from './member.ts';
import { readAddress } from './url/index.ts';

export async function expectOwnSessions(url: string, member: Member = MEMBER): Promise<void> {
  const address = readAddress(url, member);
  try {
    await expectThem(async () => bare(await openClient(address, url, member), member), { url: redact(url), title: member.title });
  } catch (error) {
    throw error instanceof UsageError || error instanceof DatabaseError ? error : connectError(error, url, member);
  }
}

function bare(client: Client, { backendQuery }: Member): BareSession {
  const one = async (sql: string): Promise<string> => {
    const { rows } = await client.query<string[]>({ text: sql, rowMode: 'array' });
    return rows[0]?.[0] ?? '';
  };
  return {
    begin: async () => {
      await client.query('BEGIN');
      return one(backendQuery);
    },
    commit: async () => void (await client.query('COMMIT')),
    close: () => client.end().catch(() => undefined),
  };
}
