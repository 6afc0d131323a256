/**
 * Bugs of the servers at hand that random runs may meet: a test that asks for none asks for none but these. So far one:
 * PostgreSQL at SERIALIZABLE remembers no lock of an INSERT ... ON CONFLICT that met a row and put in nothing
 * (corpus/explored/upsert-of-nothing.spec). It is told by the certificate: an edge of the cycle begins at such a look.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

interface WrittenFinding {
  readonly verdict: string;
  readonly level: string;
  readonly certificate?: { readonly predicates?: readonly { readonly met?: true }[] };
}

/** The files of a run's findings that are called a bug and are none of those above; `dbms`: the dialect's name. */
export function unknownBugs(out: string, runId: string, dbms: string): readonly string[] {
  const folder = join(out, runId);
  return readdirSync(folder).filter((name) => {
    if (!/^finding-\d+\.json$/.test(name)) return false;
    const finding = JSON.parse(readFileSync(join(folder, name), 'utf8')) as WrittenFinding;
    return finding.verdict === 'bug' && KNOWN[dbms]?.(finding) !== true;
  });
}

/** By the dialect's name. */
const KNOWN: Readonly<Record<string, (finding: WrittenFinding) => boolean>> = {
  postgres: ({ level, certificate }) => level === 'serializable' && (certificate?.predicates ?? []).some(({ met }) => met === true),
};

export const hasKnownBugs = (dbms: string): boolean => dbms in KNOWN;
