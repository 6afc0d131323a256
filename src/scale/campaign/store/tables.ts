/**
 * Makes and checks the store's own tables, which are in a schema with our mark. The queue has its own schema. A store of
 * another version is refused, because a newer worker could not read an older worker's rows.
 */
import { UsageError } from '../../../../core/base/index.ts';
import type { Sql } from './connection.ts';

const STORE_VERSION = 2;
export const SCHEMA = 'anomalist_campaigns';
export const QUEUE_SCHEMA = 'anomalist_queue';
const MARK = 'made by anomalist: campaigns';

const TABLES = `
CREATE SCHEMA ${SCHEMA};
COMMENT ON SCHEMA ${SCHEMA} IS '${MARK}';
CREATE TABLE ${SCHEMA}.store (version integer NOT NULL, made_by text NOT NULL);
CREATE TABLE ${SCHEMA}.campaign (
  name text PRIMARY KEY, tool text NOT NULL, file jsonb NOT NULL, slices integer NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(), stopped_at timestamptz);
CREATE TABLE ${SCHEMA}.worker (id uuid PRIMARY KEY, host text NOT NULL, pid integer NOT NULL, seen_at timestamptz NOT NULL DEFAULT now());
CREATE TABLE ${SCHEMA}.lease (
  job uuid PRIMARY KEY, queue text NOT NULL, slice jsonb NOT NULL, worker uuid NOT NULL, since timestamptz NOT NULL DEFAULT now());
CREATE TABLE ${SCHEMA}.attempt (
  campaign text NOT NULL, target integer NOT NULL, job integer NOT NULL, turn integer NOT NULL,
  worker uuid NOT NULL, why text NOT NULL, at timestamptz NOT NULL DEFAULT now());
CREATE INDEX ON ${SCHEMA}.attempt (campaign, target, job, turn);
CREATE TABLE ${SCHEMA}.result (
  campaign text NOT NULL, target integer NOT NULL, job integer NOT NULL, turn integer NOT NULL,
  worker uuid NOT NULL, at timestamptz NOT NULL DEFAULT now(), report jsonb NOT NULL, explored jsonb,
  PRIMARY KEY (campaign, target, job, turn));
CREATE TABLE ${SCHEMA}.given_up (
  campaign text NOT NULL, target integer NOT NULL, job integer NOT NULL, turn integer NOT NULL,
  slice jsonb NOT NULL, why text NOT NULL, at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (campaign, target, job, turn));
CREATE TABLE ${SCHEMA}.finding (
  campaign text NOT NULL, target text NOT NULL, dbms text NOT NULL, release text NOT NULL, level text NOT NULL, settings jsonb NOT NULL,
  verdict text NOT NULL, class text NOT NULL, fingerprint text NOT NULL,
  count bigint NOT NULL, first_seen timestamptz NOT NULL DEFAULT now(), last_seen timestamptz NOT NULL DEFAULT now(),
  statements integer, line jsonb NOT NULL, file text);
CREATE UNIQUE INDEX finding_once ON ${SCHEMA}.finding
  (campaign, target, release, level, md5(settings::text), verdict, class, md5(fingerprint));
CREATE TABLE ${SCHEMA}.explored_finding (
  campaign text NOT NULL, target text NOT NULL, dbms text NOT NULL, release text NOT NULL, level text NOT NULL, settings jsonb NOT NULL,
  verdict text NOT NULL, oracle text NOT NULL, name text NOT NULL, difference text NOT NULL,
  programs bigint NOT NULL, first_seen timestamptz NOT NULL DEFAULT now(), last_seen timestamptz NOT NULL DEFAULT now(),
  statements integer NOT NULL, program integer NOT NULL, family jsonb NOT NULL);
CREATE UNIQUE INDEX explored_finding_once ON ${SCHEMA}.explored_finding
  (campaign, target, release, level, md5(settings::text), verdict, oracle, md5(name), md5(difference));
CREATE TABLE ${SCHEMA}.coverage (
  campaign text NOT NULL, target integer NOT NULL, job integer NOT NULL, release text NOT NULL, level text NOT NULL,
  pairs integer NOT NULL, which bit varying NOT NULL,
  PRIMARY KEY (campaign, target, job, release, level, pairs));
`;

/** Makes missing tables. If two programs do so at once, the second waits and finds them. */
export async function makeTables(sql: Sql, tool: string): Promise<void> {
  await sql.query(`SELECT pg_advisory_xact_lock(hashtext($1))`, [SCHEMA]);
  if ((await markOf(sql)) === undefined) {
    await expectNoQueue(sql);
    await sql.query(TABLES);
    await sql.query(`INSERT INTO ${SCHEMA}.store VALUES ($1, $2)`, [STORE_VERSION, tool]);
  }
  await expectTables(sql);
}

/**
 * The queue makes its schema after our tables and has no mark. Without our tables the schema belongs to another program
 * and must not be written.
 */
async function expectNoQueue(sql: Sql): Promise<void> {
  const [there] = await sql.query(`SELECT 1 FROM pg_namespace WHERE nspname = $1`, [QUEUE_SCHEMA]);
  if (there !== undefined)
    throw new UsageError(`--store: its database has a schema ${QUEUE_SCHEMA} that anomalist did not make; expected another database.`);
}

/** Throws if the store is not ours, or has another version. */
export async function expectTables(sql: Sql): Promise<void> {
  const mark = await markOf(sql);
  if (mark === undefined)
    throw new UsageError('--store: no campaign was started there; expected the URL that `anomalist campaign start` was given.');
  if (mark !== MARK)
    throw new UsageError(`--store: its database has a schema ${SCHEMA} that anomalist did not make; expected another database.`);
  const [store] = await sql.query<{ version: number; made_by: string }>(`SELECT version, made_by FROM ${SCHEMA}.store`);
  if (store?.version !== STORE_VERSION)
    throw new UsageError(
      `--store: it is of version ${store?.version ?? 'unknown'} (${store?.made_by ?? 'unknown'}), expected ${STORE_VERSION}; use the anomalist that made it, or another database.`,
    );
}

/** Returns the schema's mark. Undefined: the schema does not exist. */
async function markOf(sql: Sql): Promise<string | undefined> {
  const [found] = await sql.query<{ mark: string | null }>(
    `SELECT obj_description(oid, 'pg_namespace') AS mark FROM pg_namespace WHERE nspname = $1`,
    [SCHEMA],
  );
  return found === undefined ? undefined : (found.mark ?? '');
}
