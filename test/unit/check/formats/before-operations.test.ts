// Key-value histories that were recorded before the record said what a statement does to which object: still read, and judged as then.
import { openSync, readSync, closeSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { History, HistoryEvent } from '../../../../core/history/index.ts';
import { readHistories } from '../../../../check/index.ts';
import { generateKeyValue, objectOperation } from '../../../../schema-gen/index.ts';
import type { KeyValueKind } from '../../../../schema-gen/index.ts';
import { assessRound } from '../../../../src/judge/assess/round.ts';

const SERVERS = ['postgres', 'mysql'] as const;
const KINDS = ['mini', 'append', 'lwt'] as const satisfies readonly KeyValueKind[];
const RECORDED = KINDS.flatMap((kind) => SERVERS.map((server) => ({ kind, server })));

function pathOf(kind: string, server: string): string {
  return fileURLToPath(new URL(`before-operations/${kind}-${server}.ndjson`, import.meta.url));
}

function read(kind: string, server: string): History {
  const fd = openSync(pathOf(kind, server), 'r');
  try {
    return [...readHistories((buffer) => readSync(fd, buffer), { file: kind })][0]!;
  } finally {
    closeSync(fd);
  }
}

describe.each(RECORDED)('$kind on $server, as it was recorded then', ({ kind, server }) => {
  const history = read(kind, server);
  const { statements, transactions, round } = history;

  it('is read with the operation of every statement that was planned, and of the closing read', () => {
    expect(readFileSync(pathOf(kind, server), 'utf8')).not.toMatch(/"op"|"contents"/);
    expect(round.contents).toBe(kind === 'append' ? 'lists' : 'values');
    const { sessions } = generateKeyValue('3/0', { kind, sessions: 2, transactions: kind === 'lwt' ? 8 : 2, objects: 2 });
    const planned = new Map(sessions.flatMap((session) => session.transactions.map(({ id, statements: all }) => [id, all] as const)));
    let compared = 0;
    for (let s = 0; s < statements.count; s++) {
      if (statements.kind[s] === 'final') expect(statements.operation[s]).toEqual({ do: 'read' });
      if (statements.plan[s]! < 0 || statements.kind[s] === 'final') continue;
      const statement = planned.get(transactions.id[statements.txn[s]!]!)![statements.plan[s]!]!;
      const expected =
        statements.operation[s]?.do === 'append' ? undefined : (statements.operation[s] as { expected?: number } | undefined)?.expected;
      const bound = JSON.parse(JSON.stringify(statement), (_, node: { kind?: string } | null) =>
        node?.kind === 'parameter' ? { kind: 'literal', type: 'integer', value: expected ?? null } : node,
      ) as typeof statement;
      expect(statements.operation[s]).toEqual(objectOperation(bound));
      compared++;
    }
    expect(compared).toBe(statements.plan.filter((plan, s) => plan >= 0 && statements.kind[s] !== 'final').length);
    expect(compared).toBeGreaterThan(3);
  });

  it('is judged by what its objects hold', () => {
    const { verdict } = assessRound(history);
    expect(verdict.levels.length).toBeGreaterThan(3);
    expect(verdict.defects).toEqual([]);
    expect(verdict.levels.map(({ answer }) => answer)).not.toContain('unknown');
  });
});

it('an uninstrumented round of a table of that name whose statements are none of theirs is no key-value round', () => {
  const invoke: HistoryEvent = {
    e: 'invoke',
    s: 0,
    t: 1,
    n: 0,
    k: 'select',
    at: 1,
    sql: 'SELECT kv.x AS x FROM kv AS kv',
    reads: 'none',
    locks: [],
  };
  const lines = [
    { e: 'header', format: 'anomalist-history', version: 2, tool: '', seed: '' },
    {
      e: 'round',
      round: 0,
      seed: '',
      dialect: '',
      server: '',
      level: 'serializable',
      mode: 'stress',
      instrument: 'none',
      sessions: 1,
      endpoints: [],
      tables: ['kv'],
      configuration: {},
    },
    { ...invoke, q: 0 },
  ];
  const bytes = new TextEncoder().encode(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  let at = 0;
  const [history] = [
    ...readHistories(
      (buffer) => {
        const part = bytes.subarray(at, at + buffer.length);
        buffer.set(part);
        at += part.length;
        return part.length;
      },
      { file: 'made' },
    ),
  ];
  expect(history!.round.contents).toBeUndefined();
  expect(history!.statements.operation).toEqual([undefined]);
});
