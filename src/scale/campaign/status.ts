/** Reads the state of a store's campaigns: slices by state, coverage, and findings by verdict. */
import { SCHEMA } from './store/tables.ts';
import type { Store } from './store/store.ts';

export interface CampaignStatus {
  readonly name: string;
  readonly stopped: boolean;
  readonly slices: number;
  readonly done: number;
  readonly underWay: number;
  readonly givenUp: number;
  /** Slices were handed out again so many times, by reason. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly rounds: number;
  /** Explorations ran so many programs, at all levels together. */
  readonly programs: number;
  readonly orders: number;
  /** Some program of an exploration had these pairs of forms, on any worker. */
  readonly coverage: readonly PairsAt[];
  /** Each verdict has so many distinct findings. */
  readonly findings: Readonly<Record<string, number>>;
  readonly anomalies: number;
  /** So many distinct findings are not known. Absent: no baseline was given. */
  readonly news?: number;
}

export interface PairsAt {
  readonly target: number;
  readonly job: number;
  readonly release: string;
  readonly level: string;
  readonly pairs: number;
  readonly covered: number;
}

export async function statusOf(store: {
  readonly connection: Pick<Store['connection'], 'transaction'>;
}): Promise<readonly CampaignStatus[]> {
  return store.connection.transaction((sql) =>
    sql.query<CampaignStatus>(`
      SELECT c.name, c.stopped_at IS NOT NULL AS stopped, c.slices,
        (SELECT count(*)::int FROM ${SCHEMA}.result r WHERE r.campaign = c.name) AS done,
        (SELECT count(*)::int FROM ${SCHEMA}.lease l WHERE l.slice->>'campaign' = c.name) AS "underWay",
        (SELECT count(*)::int FROM ${SCHEMA}.given_up g WHERE g.campaign = c.name) AS "givenUp",
        (SELECT coalesce(jsonb_object_agg(why, n), '{}') FROM
          (SELECT why, count(*) AS n FROM ${SCHEMA}.attempt a WHERE a.campaign = c.name GROUP BY why) AS whys) AS attempts,
        (SELECT coalesce(sum((level->'coverage'->>'rounds')::int), 0)::int
          FROM ${SCHEMA}.result r, jsonb_array_elements(r.report->'levels') AS level WHERE r.campaign = c.name) AS rounds,
        ${ofExplored('programs')}, ${ofExplored('orders')},
        (SELECT coalesce(jsonb_agg(jsonb_build_object('target', v.target, 'job', v.job, 'release', v.release, 'level', v.level,
            'pairs', v.pairs, 'covered', length(replace(v.which::text, '0', ''))) ORDER BY v.target, v.job, v.release, v.level), '[]')
          FROM ${SCHEMA}.coverage v WHERE v.campaign = c.name) AS coverage,
        (SELECT coalesce(jsonb_object_agg(verdict, n), '{}') FROM
          (SELECT verdict, count(*) AS n FROM
            (SELECT verdict FROM ${SCHEMA}.finding f WHERE f.campaign = c.name
             UNION ALL SELECT verdict FROM ${SCHEMA}.explored_finding e WHERE e.campaign = c.name) AS each GROUP BY verdict) AS verdicts) AS findings,
        (SELECT coalesce(sum(count), 0)::int FROM ${SCHEMA}.finding f WHERE f.campaign = c.name) AS anomalies
      FROM ${SCHEMA}.campaign c ORDER BY c.started_at`),
  );
}

function ofExplored(name: 'programs' | 'orders'): string {
  return `(SELECT coalesce(sum((level->>'${name}')::int), 0)::int
    FROM ${SCHEMA}.result r, jsonb_array_elements(r.explored->'levels') AS level WHERE r.campaign = c.name) AS ${name}`;
}

export function statusText(campaigns: readonly CampaignStatus[]): string {
  if (campaigns.length === 0) return 'no campaign in this store\n';
  return campaigns.map(lineOf).join('');
}

function lineOf(status: CampaignStatus): string {
  const { name, stopped, slices, done, underWay, givenUp, findings, anomalies, news } = status;
  const found = ['bug', 'undocumented', 'documented'].map((verdict) => `${findings[verdict] ?? 0} ${verdict}`).join(', ');
  const state = stopped ? 'stopped' : done === slices ? 'done' : done + givenUp === slices ? 'ended, not whole' : 'running';
  return `${name}: ${state}; ${done} of ${slices} slices done, ${underWay} under way, ${givenUp} given up; ${doneWords(status)}; findings: ${found} (${anomalies} anomalies)${news === undefined ? '' : `; ${news} new`}\n`;
}

function doneWords({ rounds, programs, orders, coverage }: CampaignStatus): string {
  if (programs === 0) return `${rounds} rounds`;
  const [pairs, covered] = [coverage.reduce((sum, at) => sum + at.pairs, 0), coverage.reduce((sum, at) => sum + at.covered, 0)];
  const share = pairs === 0 ? '' : `, ${((100 * covered) / pairs).toFixed(1)} % of the pairs of forms`;
  return `${rounds} rounds, ${programs} programs (${orders} orders${share})`;
}
