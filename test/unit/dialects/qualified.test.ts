// With a namespace every table and view is named in it, and nothing else of the text changes.
import { describe, expect, it } from 'vitest';
import type { Statement } from '../../../core/sql/index.ts';
import { contentsOf, isWrite } from '../../../core/sql/index.ts';
import { DIALECTS, cockroachdb, mariadb, mysql, postgres, tidb } from '../../../dialects/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { generateCase, optionsFor } from '../../../schema-gen/index.ts';

const NAMESPACE = 'ns_of_ours';

it('there is no other dialect', () => {
  expect(new Set(DIALECTS)).toEqual(new Set([cockroachdb, mariadb, mysql, postgres, tidb]));
});

describe.each(DIALECTS.map((dialect) => ({ name: dialect.name, dialect })))('$name', ({ dialect }) => {
  const prefix = new RegExp(`["\`]${NAMESPACE}["\`]\\.`, 'g');

  it('of generated statements, bare and instrumented', () => {
    let tables = 0;
    for (let seed = 0; seed < 6; seed++) {
      const testCase = generateCase(`qualified/${seed}`, { ...optionsFor(dialect.capabilities), mode: 'stress' });
      const probed = instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities });
      const all: Statement[] = [
        ...testCase.sessions.flatMap(({ transactions }) => transactions.flatMap(({ statements }) => statements)),
        ...probed.sessions.flatMap(({ transactions }) =>
          transactions.flatMap(({ statements }) => statements.map(({ statement }) => statement)),
        ),
      ];
      for (const statement of all) {
        const sent = dialect.print(statement, NAMESPACE);
        expect(sent.replaceAll(prefix, '')).toBe(dialect.print(statement));
        const leaves = contentsOf(statement).leaves.filter(({ kind }) => kind === 'table' || kind === 'view').length;
        expect(sent.match(prefix)?.length ?? 0, sent).toBeGreaterThanOrEqual(leaves + (isWrite(statement) ? 1 : 0));
        tables += leaves;
      }
    }
    expect(tables).toBeGreaterThan(100);
  });

  it('of what makes the schema; the script for people names it once, and enters it', () => {
    const { schema } = instrument(generateCase('qualified/schema', { ...optionsFor(dialect.capabilities), mode: 'stress' }), {
      mode: 'exact',
      capabilities: dialect.capabilities,
    });
    const made = dialect.createNamespace(NAMESPACE, schema);
    const script = dialect.namespaceScript(NAMESPACE, schema).map(({ sql }) => sql);
    expect(script.filter((sql) => sql !== dialect.enterNamespace(NAMESPACE))).toEqual(made.map((sql) => sql.replaceAll(prefix, '')));
    expect(script).toContain(dialect.enterNamespace(NAMESPACE));
    expect(made).not.toContain(dialect.enterNamespace(NAMESPACE));
    for (const sql of made.filter((each) => /^(create (table|view|index)|alter table|insert into)/i.test(each)))
      expect(sql).toMatch(prefix);
    for (const sql of made) expect(sql).not.toMatch(/references ["`]\w+["`] \(/);
  });
});
