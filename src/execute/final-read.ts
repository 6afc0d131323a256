/**
 * The final read: on every endpoint a fresh transaction reads every table whole, through the same probe form as the run.
 * So a reader has seen the last version of every row. Its transaction ids and session numbers follow those of the test
 * case. An endpoint that is behind is read too, and its stale rows are part of the record.
 */
import { readsItem, userColumnsOf, versionColumns, versionItems } from '../../core/index.ts';
import type { EndpointState, InstrumentMode, ProbedStatement, Select, SelectItem, Table } from '../../core/index.ts';
import { levelOn } from './endpoints.ts';
import type { RoundSetup } from './round-setup.ts';
import { Session } from './session.ts';
import { withWatchdog } from './watchdog.ts';

const TIMEOUT_MS = 30_000;

/** Returns why the final read failed. `late`: endpoints that nothing may wait for. */
export async function finalRead(
  setup: RoundSetup,
  states: readonly EndpointState[],
  late: ReadonlySet<number>,
): Promise<string | undefined> {
  const { probedCase, urls, namespace, dialect, recorder, signal } = setup;
  const last = Math.max(0, ...probedCase.sessions.map(({ transactions }) => transactions.reduce((id, txn) => Math.max(id, txn.id), 0)));
  const statements = probedCase.schema.tables.map((table) => wholeTable(table, probedCase.mode));
  for (const [endpoint, url] of urls.entries()) {
    if (signal?.aborted) return 'interrupted';
    const plan = [{ id: last + 1 + endpoint, statements, end: 'commit', autocommit: false }] as const;
    const number = probedCase.sessions.length + endpoint;
    const level = levelOn(states[endpoint], setup.level, dialect);
    const synchronised = urls.length > 1 && !late.has(endpoint);
    let session: Session;
    try {
      session = await Session.open({
        number,
        endpoint,
        url,
        namespace,
        dialect,
        level,
        synchronised,
        statementTimeoutMs: TIMEOUT_MS,
        recorder,
        plan,
        final: true,
        ...(setup.objects && { objects: setup.objects }),
      });
    } catch (error) {
      return `the final read could not connect to ${dialect.redact(url)}: ${dialect.classifyError(error).message}`;
    }
    session.stop(); // A lost connection is not tried again.
    try {
      await withWatchdog(recorder, [session], TIMEOUT_MS, async () => {
        while (!session.done) await session.step();
      });
    } finally {
      await session.close();
    }
    // A table whose SELECT failed was not read, though the COMMIT behind it succeeded.
    if (session.outcome !== 'committed' || session.failures > 0) return `the final read on ${dialect.redact(url)} failed`;
  }
  return undefined;
}

function wholeTable(table: Table, mode: InstrumentMode): ProbedStatement {
  const column = (name: string): SelectItem => ({ expression: { kind: 'column', table: table.name, column: name }, alias: name });
  const items = userColumnsOf(table).map(({ name }) => column(name));
  const original: Select = { kind: 'select', items, from: { kind: 'table', table: table.name, alias: table.name } };
  const userColumns = items.length;
  if (mode === 'none')
    return {
      original,
      statement: original,
      probe: { layout: { kind: 'none' }, role: 'read', reads: 'none', reason: 'the run is not instrumented', userColumns },
    };
  if (mode === 'paper') {
    const pairs = [{ table: table.name, rid: userColumns, list: userColumns + 1 }];
    return {
      original,
      statement: { ...original, items: [...items, ...versionColumns(table.name)] },
      probe: { layout: { kind: 'columns', pairs }, role: 'read', reads: 'exact', userColumns },
    };
  }
  const reads = readsItem({ kind: 'jsonArray', items: versionItems(table.name, table.name) });
  return {
    original,
    statement: { ...original, items: [...items, reads] },
    probe: { layout: { kind: 'json' }, role: 'read', reads: 'exact', userColumns },
  };
}
