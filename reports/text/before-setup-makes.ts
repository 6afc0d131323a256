/**
 * For findings of before 22 November 2026, which keep their setup as texts alone. The kind of each statement is
 * recognised by the forms that the dialects then printed. Those forms do not change any more, and current runs do not use
 * this file.
 */
import type { Made, SetupStatement } from '../../core/index.ts';

const FORMS: readonly (readonly [Made, RegExp])[] = [
  ['mark', /^create table [`"]?anomalist_mark\b/i],
  ['table', /^create table ("[^"]+"|`[^`]+`|\S+)/i],
  ['view', /^create view ("[^"]+"|`[^`]+`|\S+)/i],
  ['part', /^(?:create (?:unique )?index|alter table)\b/i],
  ['rows', /^insert into\b/i],
];

export function scriptBefore(setup: readonly string[]): readonly SetupStatement[] {
  return setup.map((text) => {
    const sql = text.replace(/;\s*$/, '');
    for (const [makes, form] of FORMS) {
      const match = form.exec(sql);
      if (match) return { sql, makes, ...(match[1] !== undefined && { name: match[1] }) };
    }
    return { sql, makes: 'namespace' };
  });
}
