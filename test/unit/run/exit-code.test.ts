/** Which findings make `run` exit 1, and which files name findings that are known. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Finding, Report } from '../../../core/index.ts';
import { exitCode } from '../../../src/commands/run.ts';
import { isKnown, readKnown } from '../../../src/known.ts';

const found = (verdict: 'bug' | 'documented', fingerprint = 'f'): Report =>
  ({ findings: [{ anomaly: { fingerprint }, judgement: { verdict } }], levels: [{}] }) as unknown as Report;
const known = new Set(['f']);

describe('the exit code of a run', () => {
  test('a documented anomaly fails only where any or new ones are asked for', () => {
    expect([exitCode(found('documented'), 'bug', new Set()), exitCode(found('documented'), 'new', new Set()), exitCode(found('documented'), 'any', new Set())]).toEqual([0, 1, 1]);
  });

  test('a finding is known by its reduced case too', () => {
    const reduced = { anomaly: { fingerprint: 'g' }, reproduction: { anomaly: { fingerprint: 'f' } } } as unknown as Finding;
    expect([isKnown(reduced, known), isKnown(reduced, new Set(['g'])), isKnown(reduced, new Set(['h']))]).toEqual([true, true, false]);
  });

  test('a known finding fails only where any is asked for', () => {
    expect([exitCode(found('bug'), 'bug', known), exitCode(found('bug'), 'new', known), exitCode(found('bug'), 'any', known)]).toEqual([0, 0, 1]);
  });

  test('a run that lost its server is a failure, whatever it saw before, unless it found what was asked for', () => {
    const lost = (verdict: 'bug' | 'documented'): Report => ({ ...found(verdict), endedEarly: 'gone' });
    expect([exitCode(lost('documented'), 'bug', new Set()), exitCode(lost('bug'), 'bug', new Set())]).toEqual([2, 1]);
  });
});

describe('a file of known findings', () => {
  const read = (text: string): string[] => {
    const dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    try {
      writeFileSync(join(dir, 'known'), text);
      return [...readKnown(join(dir, 'known'))];
    } finally {
      rmSync(dir, { recursive: true });
    }
  };

  test('is fingerprints, one a line, with comments, or the findings.json of a run', () => {
    expect(read('a|b:0 # seen before\n\n# none\nc\n')).toEqual(['a|b:0', 'c']);
    expect(read('{"findings":[{"fingerprint":"a|b:0"}]}')).toEqual(['a|b:0']);
    expect(read('{"findings":[{"fingerprint":"a|b:0","reproduced":{"fingerprint":"c"}},{"fingerprint":"d","reproduced":null}]}')).toEqual(['a|b:0', 'c', 'd']);
    expect(read('{"anomaly":{"fingerprint":"a|b:0"},"reproduction":{"anomaly":{"fingerprint":"c"}}}')).toEqual(['a|b:0', 'c']);
  });

  test.each(['{}', '[]', '{"x":1}', '{"findings":[null]}', '{"findings"'])('is refused as %s', (text) => {
    expect(() => read(text)).toThrow(/holds no findings/);
  });
});
