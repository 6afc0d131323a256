// What a control says to programs: a code of its own, whatever its words are, and errors by their fields.
import { describe, expect, it } from 'vitest';
import { EXIT } from '../../../../core/base/index.ts';
import type { History, StatementError } from '../../../../core/history/index.ts';
import type { Control } from '../../../../core/verdict/index.ts';
import { exitOfCells } from '../../../../src/app/commands/replay.ts';
import { prevention } from '../../../../src/reproduce/controls.ts';
import { NOT_SEEN, ended, notRun } from '../../../../src/reproduce/otherwise.ts';
import type { Otherwise } from '../../../../src/reproduce/otherwise.ts';

const ERROR: StatementError = { code: '40001', class: 'serialization', message: 'not run: blocked, occurs' };
const made = (error: StatementError | undefined, blocked: number): Otherwise =>
  prevention({ statements: { error: [undefined, error], blocked: Uint8Array.of(0, blocked) } } as unknown as Pick<History, 'statements'>);
const cell = (seen: number, otherwise: Otherwise): Control => ({
  target: 'not run',
  server: '',
  level: 'serializable',
  own: true,
  ...ended({ tries: 2, seen }, otherwise),
});

describe('a control', () => {
  it('names what prevented the anomaly by the code of the error, else by the wait', () => {
    expect(made(ERROR, 1)).toEqual({ code: 'error', outcome: 'prevented by error 40001' });
    expect(made(undefined, 1)).toEqual({ code: 'blocking', outcome: 'prevented by blocking' });
    expect(made(undefined, 0)).toBe(NOT_SEEN);
  });

  it('that saw it once has seen it, whatever became of the tries after it', () => {
    expect(ended({ tries: 2, seen: 1 }, notRun('the server is gone'))).toEqual({
      rate: { tries: 2, seen: 1 },
      code: 'occurs',
      outcome: 'occurs',
    });
    expect(ended({ tries: 0, seen: 0 }, notRun(undefined))).toMatchObject({ code: 'not run', outcome: 'not run: no reason given' });
  });

  it('decides the exit code by its code, not by its words', () => {
    expect(exitOfCells([cell(0, notRun('x')), cell(0, notRun('y'))], 'any')).toBe(EXIT.inconclusive);
    expect(exitOfCells([cell(0, { code: 'not seen', outcome: 'not run as it seems' })], 'any')).toBe(EXIT.clean);
    expect(exitOfCells([cell(0, { code: 'error', outcome: 'occurs' })], 'any')).toBe(EXIT.clean);
    expect(exitOfCells([cell(1, NOT_SEEN), cell(0, notRun('x'))], 'any')).toBe(EXIT.anomaly);
  });
});
