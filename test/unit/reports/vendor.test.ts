// Whose a DBMS is stands in its dialect: no report guesses it from what a target is called.
import { expect, it } from 'vitest';
import { DIALECTS } from '../../../dialects/index.ts';
import { findingFiles } from '../../../reports/index.ts';
import { REPRODUCED, report } from './fixture.ts';

it('each dialect has a row of its own, with its own title, form and address', () => {
  expect(DIALECTS.map(({ vendor }) => vendor.title)).toEqual(DIALECTS.map(({ title }) => title));
  expect(new Set(DIALECTS.map(({ vendor }) => vendor.shape)).size).toBe(DIALECTS.length);
  expect(new Set(DIALECTS.map(({ vendor }) => vendor.tracker)).size).toBe(DIALECTS.length);
});

it.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))(
  'the files of a finding are those of %s, whatever its target is called',
  (_, { vendor }) => {
    for (const target of ['mysql@1', 'our-maria', 'postgres://h/d', 'x']) {
      const files = findingFiles(report(), { ...REPRODUCED, target, vendor }, 1).map(({ name }) => name.replace('finding-1.', ''));
      expect([files.includes('repro.spec'), files.includes('repro.test')]).toEqual([
        vendor.files.includes('spec'),
        vendor.files.includes('mtr'),
      ]);
    }
  },
);
