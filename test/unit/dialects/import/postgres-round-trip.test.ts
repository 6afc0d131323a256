/**
 * Generated statements, printed for PostgreSQL, import as the statements that they were: the importer and the printer say
 * the same thing about every shape that the generator knows. A few shapes have two spellings in the IR and one in SQL.
 */
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../../core/sql/index.ts';
import { isRefusal } from '../../../../core/dialect/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { generateCase, optionsFor } from '../../../../schema-gen/index.ts';
import { onlySpelling } from './only-spelling.ts';

const SEEDS = Array.from({ length: 6 }, (_, i) => `import ${i}`);

describe("PostgreSQL's importer over generated statements", () => {
  it('refuses none, and gives back what was printed', async () => {
    const importer = await postgres.importer!();
    let [count, same] = [0, 0];
    const kinds = new Set<string>();
    for (const seed of SEEDS) {
      const { schema, sessions } = generateCase(seed, optionsFor(postgres.capabilities));
      for (const statement of sessions.flatMap(({ transactions }) => transactions.flatMap(({ statements }) => statements)).slice(0, 120)) {
        const printed = postgres.print(statement);
        const imported = importer.statement({ sql: printed, line: 1 }, schema, new Map());
        if (isRefusal(imported)) throw new Error(`refused: ${imported.reason}\n${printed}`);
        count++;
        kinds.add(imported.kind);
        if (spelled(imported) === spelled(statement)) same++;
      }
    }
    expect(count).toBeGreaterThan(300);
    for (const kind of ['merge', 'withWrites']) expect([...kinds]).toContain(kind);
    // The rest has an alias that is also one around it, which the import makes another.
    expect(same / count).toBeGreaterThan(0.99);
  });
});

function spelled(statement: Statement): string {
  return JSON.stringify(onlySpelling(statement));
}
