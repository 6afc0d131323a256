// Transactions of a run by what the protocol said after each step.
import { describe, expect, it } from 'vitest';
import { notComparedWords } from '../../../../../reports/index.ts';
import { transactionsOfRun } from '../../../../../src/replay/spec/spec-transactions.ts';
import { scriptedRun } from './scripted-run.ts';
import type { ScriptedStep } from './scripted-run.ts';

const step = (sql: string, status: ScriptedStep['status'], session = 0, more: Partial<ScriptedStep> = {}): ScriptedStep => ({
  session,
  sql,
  status,
  ...more,
});
const ERROR = { reply: { error: { class: 'constraint', code: '23505', message: 'taken' } } } as const;
const cut = (steps: readonly ScriptedStep[], setups: Parameters<typeof scriptedRun>[1]): unknown => {
  const found = transactionsOfRun(scriptedRun(steps, setups));
  return 'code' in found
    ? notComparedWords(found)
    : found.map(
        ({ session, steps: own, opened, committed }) =>
          `s${session}${opened ? ' opened' : ''} ${own.map(({ item }) => item.sql).join(' | ')}: ${committed ? 'committed' : 'not'}`,
      );
};

describe('the transactions of a run', () => {
  it('end where the session is outside: at COMMIT, and each statement without BEGIN', () => {
    expect(
      cut(
        [
          step('UPDATE 1', 'inside'),
          step('SELECT a', 'outside', 1),
          step('COMMIT', 'outside'),
          step('SELECT b', 'outside', 1),
          step('BEGIN', 'inside'),
          step('SELECT c; COMMIT', 'outside'),
        ],
        ['inside', undefined],
      ),
    ).toEqual([
      's0 opened UPDATE 1 | COMMIT: committed',
      's0 BEGIN | SELECT c; COMMIT: committed',
      's1 SELECT a: committed',
      's1 SELECT b: committed',
    ]);
  });

  it.each<[string, readonly ScriptedStep[], string]>([
    ['a ROLLBACK', [step('BEGIN', 'inside'), step('ROLLBACK', 'outside')], 's0 BEGIN | ROLLBACK: not'],
    [
      'an ABORT behind a statement',
      [step('BEGIN', 'inside'), step('SELECT 1; abort work;', 'outside')],
      's0 BEGIN | SELECT 1; abort work;: not',
    ],
    ['a COMMIT of what had failed', [step('BEGIN', 'failed'), step('COMMIT', 'outside')], 's0 BEGIN | COMMIT: not'],
    ['an error outside', [step('INSERT', 'outside', 0, ERROR)], 's0 INSERT: not'],
    ['nothing', [step('BEGIN', 'inside'), step('SELECT 1', 'inside')], 's0 BEGIN | SELECT 1: not'],
  ])('are not committed by %s', (_, steps, expected) => {
    expect(cut(steps, [undefined])).toEqual([expected]);
  });

  it('are committed behind ROLLBACK TO, and behind an error that took no transaction along', () => {
    expect(cut([step('BEGIN', 'inside'), step('ROLLBACK TO s', 'inside'), step('COMMIT', 'outside')], [undefined])).toEqual([
      's0 BEGIN | ROLLBACK TO s | COMMIT: committed',
    ]);
    expect(cut([step('BEGIN', 'inside'), step('INSERT', 'inside', 0, ERROR), step('COMMIT', 'outside')], [undefined])).toEqual([
      's0 BEGIN | INSERT | COMMIT: committed',
    ]);
    expect(cut([step('BEGIN', 'inside'), step('SELECT 1; ROLLBACK TO s', 'outside')], [undefined])).toEqual([
      's0 BEGIN | SELECT 1; ROLLBACK TO s: committed',
    ]);
  });

  it.each<[string, readonly ScriptedStep[], string]>([
    [
      'a step that goes on behind a COMMIT',
      [step('BEGIN', 'inside'), step('COMMIT; SELECT 1', 'outside')],
      'step step1 ends a transaction and goes on behind it',
    ],
    [
      'a BEGIN within',
      [step('BEGIN', 'inside'), step('START TRANSACTION', 'inside')],
      'step step1 begins a transaction within another one',
    ],
    ['a BEGIN behind a statement', [step('SELECT 1; BEGIN', 'inside')], 'step step0 begins a transaction within another one'],
    ['several statements outside', [step('SELECT 1; SELECT 2', 'outside')], 'step step0 has several statements outside a transaction'],
    ['a driver that says nothing', [step('SELECT 1', undefined)], 'the driver does not say which steps a transaction has'],
  ])('cannot be told apart with %s', (_, steps, words) => {
    expect(cut(steps, [undefined])).toBe(words);
  });
});
