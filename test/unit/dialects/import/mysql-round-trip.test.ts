/**
 * Generated statements, printed for a server of the family, are read back as the same statements. Left out is what the
 * printer puts in other words than a user would have: an upsert's condition, ROLLUP in order on MariaDB, MariaDB's SKIP
 * LOCKED. And an upsert of a table with several keys is refused on purpose.
 */
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../core/dialect/index.ts';
import type { Statement } from '../../../../core/sql/index.ts';
import type { Dialect } from '../../../../core/dialect/index.ts';
import { mariadb, mysql, tidb } from '../../../../dialects/index.ts';
import { generateCase, optionsFor } from '../../../../schema-gen/index.ts';

const CASES = 5;
const OTHER_WORDS = /@iso_condition|UPDATE .*IF\(|iso_g|\/\*M!/;
const ON_PURPOSE = /has several keys that the inserted row could meet/;

/** Aliases become unique in the whole statement: `a0_2` is the second `a0`. */
function withoutNumbers(sql: string): string {
  return sql.replaceAll(/`(\w+?)(_\d+)?`/g, '`$1`');
}

describe.each([mysql, mariadb, tidb].map((dialect) => [dialect.title, dialect] as const))('generated statements of %s', (_, dialect) => {
  it('are read back as they are', async () => {
    const importer = await dialect.importer!();
    const wrong: string[] = [];
    const counts = { same: 0, refused: 0, otherWords: 0 };
    for (let i = 0; i < CASES; i++) {
      const { schema, sessions } = generateCase(`round trip ${i}`, optionsFor(dialect.capabilities));
      for (const statement of sessions.flatMap((session) => session.transactions.flatMap((plan) => plan.statements))) {
        const sql = dialect.print(statement);
        if (OTHER_WORDS.test(sql)) counts.otherWords++;
        else {
          const again = importer.statement({ sql, line: 1 }, schema, new Map());
          if (isRefusal(again) && ON_PURPOSE.test(again.reason)) counts.refused++;
          else if (isRefusal(again)) wrong.push(`${again.reason}: ${sql}`);
          else if (isSame(again, sql, dialect)) counts.same++;
          else wrong.push(`${dialect.print(again)} where it was ${sql}`);
        }
      }
    }
    console.log(
      `${dialect.title}: ${counts.same} statements read back, ${counts.refused} refused on purpose, ${counts.otherWords} in other words than a user's`,
    );
    expect(wrong).toEqual([]);
    expect(counts.same).toBeGreaterThan(20 * (counts.refused + counts.otherWords));
  });
});

function isSame(statement: Statement, sql: string, dialect: Dialect): boolean {
  return withoutNumbers(dialect.print(statement)) === withoutNumbers(sql);
}
