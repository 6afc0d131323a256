import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packedProgram, unpackedProgram } from '../../../src/explore/packed-program.ts';
import type { ReplayedProgram } from '../../../src/explore/packed-program.ts';

const FIXTURE = { name: 'account', tables: [], byIndex: false } as const;
const REPLAYED: ReplayedProgram = {
  program: { number: 3, made: { world: 'account' }, fixture: { ...FIXTURE, changesSchema: true }, transactions: [] },
  choices: [0, 1],
  sought: { oracle: 'run', violation: { kind: 'transaction state' } },
};

describe('a packed program', () => {
  it('is unpacked as it was', () => {
    expect(unpackedProgram(packedProgram(REPLAYED))).toEqual(REPLAYED);
  });

  it('is read with the names of its first files too', () => {
    const first = {
      program: { number: 3, made: { world: 'account' }, world: { ...FIXTURE, remade: true }, transactions: [] },
      choices: [0, 1],
      sought: { oracle: 'run', breach: { kind: 'transaction state' } },
    };
    expect(unpackedProgram(gzipSync(JSON.stringify(first)).toString('base64'))).toEqual(REPLAYED);
  });
});
