/**
 * Random transactions at full speed on PostgreSQL: READ COMMITTED shows the anomalies that it is known for, REPEATABLE
 * READ write skew and nothing that snapshot isolation forbids, SERIALIZABLE nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cli } from './cli.ts';

const SECONDS = Number(process.env['ANOMALIST_STRESS_SECONDS'] ?? 20);
const SEED = process.env['ANOMALIST_STRESS_SEED'] ?? '11';

let out: string;

beforeAll(() => {
  out = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(() => rmSync(out, { recursive: true, force: true }));

interface Level {
  readonly levels: Readonly<Record<string, unknown>>;
  readonly coverage: { readonly transactions: number; readonly committed: number };
  readonly anomalies: { readonly total: number; readonly byVerdict: Readonly<Record<string, number>>; readonly byShape: Readonly<Record<string, number>> };
}

async function stress(level: string): Promise<Level> {
  const { code, stdout, stderr } = await cli(['run', '--level', level, '--duration', `${SECONDS}s`, '--seed', SEED, '--out', out, '--json']);
  expect(code, stderr).toBe(0);
  const report = JSON.parse(stdout) as { readonly targets: Readonly<Record<string, Readonly<Record<string, Level>>>> };
  const found = report.targets['postgres@18']![level]!;
  console.log(`${level}, ${SECONDS} s, seed ${SEED}: ${found.coverage.committed} of ${found.coverage.transactions} transactions committed; ${JSON.stringify(found.anomalies)}`);
  return found;
}

describe('stress on PostgreSQL', () => {
  it('finds what READ COMMITTED allows, and no bug', async () => {
    const { levels, anomalies } = await stress('read-committed');
    for (const shape of ['lost update', 'read skew', 'non-repeatable read', 'write skew']) expect(anomalies.byShape[shape], shape).toBeGreaterThan(0);
    expect(levels['read-committed']).toBe(true);
    expect(anomalies.byVerdict['bug']).toBe(0);
  });

  it('finds write skew at REPEATABLE READ and nothing that snapshot isolation forbids', async () => {
    const { levels, anomalies } = await stress('repeatable-read');
    expect(anomalies.byShape['write skew']).toBeGreaterThan(0);
    expect(levels['snapshot-isolation']).toBe(true);
    expect(anomalies.byVerdict['bug']).toBe(0);
  });

  it('finds nothing at SERIALIZABLE', async () => {
    const { levels, anomalies } = await stress('serializable');
    expect(anomalies.total).toBe(0);
    expect(levels['serializable']).toBe(true);
  });
});
