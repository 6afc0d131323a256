// The grammar of isolationtester's files, and what is refused with its line.
import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../../../../src/replay/index.ts';

const HEAD =
  'setup { CREATE TABLE t (k int); }\nsession "a b"\nstep "x ""y""" { SELECT 1 }\nsession s2\nsetup { BEGIN; }\nstep z { COMMIT; }\n';

describe('a .spec', () => {
  it('is read with its comments, quoted names, setups and teardowns', () => {
    const spec = parseSpec(`# Programs: {"dbms": "mysql", "level": "x"}\n${HEAD}teardown { ROLLBACK; } # of s2\n`, 'a.spec');
    expect(spec.sessions).toEqual([
      { name: 'a b', setup: undefined, steps: [{ name: 'x "y"', sql: 'SELECT 1' }] },
      { name: 's2', setup: 'BEGIN;', steps: [{ name: 'z', sql: 'COMMIT;' }] },
    ]);
    expect(spec).toMatchObject({ setup: ['CREATE TABLE t (k int);'], teardown: undefined, permutations: [], dbms: ['mysql'] });
    expect(parseSpec(`teardown { DROP TABLE t; }\n${HEAD}`, 'a.spec').teardown).toBe('DROP TABLE t;');
    expect(spec.level).toBeUndefined();
    expect(parseSpec(HEAD.replace('BEGIN', 'begin isolation  level repeatable\nread'), 'a.spec').level).toBe('repeatable-read');
  });

  it.each([
    ['permutation "x ""y""" z', [[], []]],
    ['permutation "x ""y""" z(*)', [[], [{}]]],
    ['permutation "x ""y""" z ( * , "x ""y""" )', [[], [{}, { step: 'x "y"' }]]],
    ['permutation "x ""y""" z("x ""y""" notices 12)', [[], [{ step: 'x "y"', notices: 12 }]]],
    ['permutation "x ""y""" z ("x ""y""" notices 1, z, *)', [[], [{ step: 'x "y"', notices: 1 }, { step: 'z' }, {}]]],
  ])('has markers behind its steps: %s', (line, markers) => {
    expect(parseSpec(`${HEAD}${line}\n`, 'a.spec').permutations[0]!.map((step) => step.markers)).toEqual(markers);
  });

  it.each([
    ['permutation z(y)', 'the marker of the step z names the step y, which no session has'],
    ['permutation z(z notices)', 'got ")" in line 7; expected a number of notices'],
    ['permutation z(z notices many)', 'got "many" in line 7; expected a number of notices'],
    ['permutation z(z', 'got the end; expected a comma or a closing parenthesis'],
    ['permutation z()', 'got ")" in line 7; expected the name of a step, or *'],
    ['permutation', 'got the end; expected a step'],
    ['permutation z; z', 'got ";" in line 7'],
    ['session s3\nstep z { }', 'two steps have the name z'],
    ['step late {', 'got a block without its } in line 7'],
    ['permutation "z', 'got a name without its closing " in line 7'],
    ['\nnonsense { }', 'got "nonsense" in line 8; expected setup, teardown, session, step or permutation'],
  ])('is refused where it has %j', (more, words) => {
    expect(() => parseSpec(HEAD + more, 'a.spec')).toThrow(words);
    expect(() => parseSpec(HEAD + more, 'a.spec')).toThrow('a.spec: ');
  });

  it('needs a session, before its first step', () => {
    expect(() => parseSpec('step a { SELECT 1 }', 'a.spec')).toThrow('expected a session before its first step');
    expect(() => parseSpec('setup { }', 'a.spec')).toThrow('got the end; expected a session');
  });
});
