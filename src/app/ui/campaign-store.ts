/** Reads the store that the page shows. Results are kept until the store has changed, since much of them is large. */
import type { Finding } from '../../../core/verdict/index.ts';
import { dialectFor } from '../../../dialects/index.ts';
import { readFinding } from '../../scale/merge/read-folders.ts';
import { sqlOfFile } from '../../scale/campaign/findings-words.ts';
import { StoreConnection } from '../../scale/campaign/store/connection.ts';
import type { Sql } from '../../scale/campaign/store/connection.ts';
import { storedCoverage, storedPrograms } from '../../scale/campaign/store/read-coverage.ts';
import type { StoredCoverage, StoredPrograms } from '../../scale/campaign/store/read-coverage.ts';
import { isExplored, storedEverything } from '../../scale/campaign/store/read-everything.ts';
import type { AnyStored } from '../../scale/campaign/store/read-everything.ts';
import { findingTexts } from '../../scale/campaign/store/read-findings.ts';
import type { StoredFinding } from '../../scale/campaign/store/read-findings.ts';
import { SCHEMA, expectTables } from '../../scale/campaign/store/tables.ts';

/** Limits the wait for an answer. The page soon reports that the store does not answer, and asks again by itself. */
const PATIENCE_MS = 2_000;

interface Kept<T> {
  readonly at: string;
  readonly value: T;
}

interface Coverage {
  readonly coverage: readonly StoredCoverage[];
  readonly programs: readonly StoredPrograms[];
}

export class CampaignStore {
  /** Names the store's URL without credentials. */
  readonly shown: string;
  private readonly connection: StoreConnection;
  private coverage: Kept<Coverage> | undefined;
  private findings: Kept<readonly AnyStored[]> | undefined;
  /** Keeps the statements by key and time, because a smaller reproduction may have come. */
  private sql = new Map<string, string>();

  constructor(url: string) {
    this.shown = dialectFor(url).redact(url);
    this.connection = new StoreConnection(url, PATIENCE_MS);
  }

  /** Throws if the store is not ours, or has another version. */
  async open(): Promise<void> {
    await this.connection.transaction(expectTables);
  }

  close(): Promise<void> {
    return this.connection.end();
  }

  read<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.connection.transaction(work);
  }

  async allCoverage(): Promise<Coverage> {
    return this.read(async (sql) => {
      const read = async (): Promise<Coverage> => ({ coverage: await storedCoverage(sql), programs: await storedPrograms(sql) });
      this.coverage = await unlessChanged(this.coverage, sql, `SELECT count(*)::text AS at FROM ${SCHEMA}.result`, read);
      return this.coverage.value;
    });
  }

  async allFindings(): Promise<readonly AnyStored[]> {
    return this.read(async (sql) => {
      const at = (table: string, counts: string): string =>
        `(SELECT concat(count(*), ' ', sum(${counts}), ' ', max(last_seen)) FROM ${SCHEMA}.${table})`;
      const both = `SELECT concat(${at('finding', 'count')}, ' ', ${at('explored_finding', 'programs')}) AS at`;
      this.findings = await unlessChanged(this.findings, sql, both, () => storedEverything(sql));
      return this.findings.value;
    });
  }

  async finding(key: string): Promise<AnyStored | undefined> {
    return (await this.allFindings()).find((each) => each.key === key);
  }

  /** Returns by key the statements of each finding that has a file. */
  async statementsOf(findings: readonly StoredFinding[]): Promise<ReadonlyMap<string, string>> {
    const nameOf = ({ key, lastSeen }: StoredFinding): string => `${key} ${lastSeen.getTime()}`;
    const missing = findings.filter((each) => each.whole && !this.sql.has(nameOf(each)));
    const texts =
      missing.length === 0
        ? new Map<string, string>()
        : await this.read((sql) =>
            findingTexts(
              sql,
              missing.map(({ key }) => key),
            ),
          );
    const read = new Map(missing.map((each) => [nameOf(each), sqlOfFile(texts.get(each.key))]));
    this.sql = new Map(
      findings.flatMap((each) => {
        const text = read.get(nameOf(each)) ?? this.sql.get(nameOf(each));
        return text === undefined ? [] : [[nameOf(each), text]];
      }),
    );
    return new Map(findings.map((each) => [each.key, this.sql.get(nameOf(each)) ?? '']));
  }

  /** Returns undefined if the finding has no file. */
  async wholeFinding(key: string): Promise<Finding | undefined> {
    const stored = await this.finding(key);
    if (stored !== undefined && isExplored(stored)) return stored.finding;
    const text = (await this.read((sql) => findingTexts(sql, [key]))).get(key);
    return text === undefined ? undefined : readFinding('the store', JSON.parse(text) as object);
  }
}

async function unlessChanged<T>(kept: Kept<T> | undefined, sql: Sql, query: string, read: () => Promise<T>): Promise<Kept<T>> {
  const [{ at } = { at: '' }] = await sql.query<{ readonly at: string }>(query);
  return kept?.at === at ? kept : { at, value: await read() };
}
