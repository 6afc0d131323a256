// What a run says of findings that could not be replayed: not that they did not occur again.
import { describe, expect, it } from 'vitest';
import type { Connection, Dialect } from '../../../../core/dialect/index.ts';
import type { Note } from '../../../../core/history/index.ts';
import type { AnomalyFinding } from '../../../../core/verdict/index.ts';
import { DatabaseError } from '../../../../core/base/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { Progress } from '../../../../src/process/progress.ts';
import { reproduceFindings } from '../../../../src/reproduce/index.ts';
import { caseNamed } from './scripted-replayer.ts';

const FINDINGS = ['f1', 'f2'].map((id) => ({
  id,
  level: 'serializable',
  observed: caseNamed(id),
  judgement: { verdict: 'bug' },
  anomaly: { class: 'G2-item', shapes: ['write skew'], fingerprint: id, cycle: [], transactions: [1, 2] },
})) as unknown as AnomalyFinding[];
const failed = (message: string, code: string): Error => Object.assign(new Error(message), { code });

/** Answers everything by the given error. */
const refusing = (error: Error): Connection => {
  const refuse = async (): Promise<never> => {
    throw error;
  };
  return {
    backend: '1',
    query: refuse,
    begin: refuse,
    beginSql: () => [],
    commit: refuse,
    rollback: refuse,
    end: async () => {},
    destroy: () => {},
  };
};

async function notesOf(dialect: Partial<Dialect>): Promise<readonly Note[]> {
  const target = {
    name: 't',
    dialect: {
      ...postgres,
      endpoint: async () => ({ readOnly: false, configuration: {} }),
      facts: async () => ({ version: 'S', make: { words: 'S', number: '1' }, configuration: {} }),
      assertFree: async () => {},
      ...dialect,
    },
    urls: ['postgres://h/db'],
    words: '',
    close: async () => {},
  };
  return (await reproduceFindings(FINDINGS, target, 20, new AbortController().signal, new Progress(process.stderr, true))).notes;
}

describe('the notes of a run', () => {
  it.each<[string, Partial<Dialect>]>([
    [
      'cannot connect',
      { connect: () => Promise.reject(new DatabaseError('cannot connect to h', { cause: failed('refused', 'ECONNREFUSED') })) },
    ],
    [
      'Connection terminated',
      {
        connect: async () => refusing(failed('gone', '57P01')),
        facts: () => Promise.reject(new Error('Connection terminated unexpectedly')),
      },
    ],
    ['cannot make the schema', { connect: async () => refusing(failed('denied', '42501')) }],
  ])('say once that the server was lost: %s', async (words, dialect) => {
    const notes = await notesOf(dialect);
    expect(notes).toEqual([
      { code: 'replaying-cut', data: { failure: expect.stringContaining(words) } },
      { code: 'findings-replayed', data: { replayed: 0, of: FINDINGS.length } },
    ]);
  });

  it('say of each finding that the server refuses its schema', async () => {
    const notes = await notesOf({ connect: async () => refusing(failed('no such type', '42704')) });
    const failure = expect.stringMatching('^cannot make the schema .*no such type');
    expect(notes.slice(0, -1)).toMatchObject(FINDINGS.map(({ id }) => ({ code: 'not-replayed', data: { finding: id, failure } })));
  });
});
