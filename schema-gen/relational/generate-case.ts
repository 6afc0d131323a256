/**
 * Generates a test case from its seed. Schema, values, every transaction and the order have streams of their own, so
 * that one option changes one of them. A draw in which no two sessions meet is discarded and drawn again.
 */
import { contentsOf, writtenTables, type SessionPlan, type Statement, type TestCase } from '../../core/index.ts';
import { createDomains } from './schema/domain.ts';
import { resolveOptions, type GivenOptions } from './options.ts';
import { createRandom } from '../prng.ts';
import { generateSchedule } from '../schedule.ts';
import { generateSchema } from './schema/schema.ts';
import { generateOld, generateTransaction } from './transaction.ts';

/** The number of redraws. Sessions that still do not meet then are kept as they are. */
const ATTEMPTS = 8;

export function generateCase(seed: string, options?: GivenOptions): TestCase {
  const resolved = resolveOptions(options);
  const random = createRandom(seed);
  const domains = createDomains(random.fork('values'), resolved.domainSize);
  const { schema, tables, views } = generateSchema(random.fork('schema'), resolved, domains);
  const perSession = resolved.mode === 'schedule' ? resolved.scheduledTransactionsPerSession : resolved.transactionsPerSession;

  let sessions: SessionPlan[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stream = random.fork(`sessions ${attempt}`);
    const count = stream.int(resolved.sessions.min, resolved.sessions.max);
    let id = 0;
    sessions = Array.from({ length: count }, (_, session) => {
      const length = stream.int(perSession.min, perSession.max);
      const how = stream.fork(`session ${session} sends`).weighted(resolved.sends);
      const send = how === 'text' ? {} : { send: how };
      if (session === 0 && resolved.mode === 'stress' && resolved.oldReads > 0)
        return { ...send, transactions: [generateOld(stream.fork('session 0'), resolved, domains, tables, views, ++id)] };
      return {
        ...send,
        transactions: Array.from({ length }, (_, n) =>
          generateTransaction(stream.fork(`session ${session} transaction ${n}`), resolved, domains, tables, views, ++id),
        ),
      };
    });
    if (sessionsMeet(sessions)) break;
  }
  if (resolved.mode === 'stress') return { seed, schema, sessions };
  return { seed, schema, sessions, schedule: generateSchedule(random.fork('schedule'), sessions) };
}

/** Returns true if one session writes a table that another one reads or writes. */
function sessionsMeet(sessions: readonly SessionPlan[]): boolean {
  if (sessions.length < 2) return true;
  const used = new Map<string, Set<number>>();
  const written = new Set<string>();
  sessions.forEach((session, i) => {
    for (const plan of session.transactions) {
      for (const statement of plan.statements) {
        for (const table of writtenTables(statement)) written.add(table);
        for (const table of tablesOf(statement)) used.set(table, (used.get(table) ?? new Set()).add(i));
      }
    }
  });
  return [...written].some((table) => used.get(table)!.size >= 2);
}

function tablesOf(statement: Statement): string[] {
  const read = contentsOf(statement).leaves.flatMap((leaf) => (leaf.kind === 'table' ? [leaf.table] : []));
  return [...writtenTables(statement), ...read];
}
