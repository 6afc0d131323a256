/**
 * What PostgreSQL's importer takes: each form with what it is printed as, so that every name, type and alias that the
 * import adds can be seen. (That the printed text reads as the same statement is the importer's own gate.)
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { bank, type Bank } from './postgres-bank.ts';
import { FORMS } from './postgres-forms.ts';

describe("PostgreSQL's importer", () => {
  let over: Bank;
  beforeAll(async () => {
    over = await bank();
  });

  it('takes the whole schema', () => {
    expect(over.refused).toEqual([]);
  });

  it.each(FORMS)('takes %s', (written, printed) => {
    expect(over.accept(written)).toBe(printed);
  });

  it('takes a statement over several lines, with comments and blanks', () => {
    expect(over.accept('select id -- the key\n  from\n\tcustomer /* all of them */')).toBe(
      'SELECT "customer"."id" AS "id" FROM "customer" AS "customer"',
    );
  });

  it('imports what it has printed as the same statement', () => {
    for (const [, printed] of FORMS) expect(over.accept(printed)).toBe(printed);
  });
});
