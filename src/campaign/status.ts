/** What a store knows of its campaigns: slices by state, workers, findings by verdict. */
import { SCHEMA } from './store/tables.ts';
import type { Store } from './store/store.ts';

export interface CampaignStatus {
  readonly name: string;
  readonly stopped: boolean;
  readonly slices: number;
  readonly done: number;
  readonly underWay: number;
  readonly givenUp: number;
  /** Of slices that had to be handed out again, why. */
  readonly attempts: Readonly<Record<string, number>>;
  readonly rounds: number;
  /** Verdict -> distinct findings. */
  readonly findings: Readonly<Record<string, number>>;
  readonly anomalies: number;
  /** Distinct findings that are not known; absent: nobody said what is known. */
  readonly news?: number;
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
        (SELECT coalesce(jsonb_object_agg(verdict, n), '{}') FROM
          (SELECT verdict, count(*) AS n FROM ${SCHEMA}.finding f WHERE f.campaign = c.name GROUP BY verdict) AS verdicts) AS findings,
        (SELECT coalesce(sum(count), 0)::int FROM ${SCHEMA}.finding f WHERE f.campaign = c.name) AS anomalies
      FROM ${SCHEMA}.campaign c ORDER BY c.started_at`),
  );
}

export function statusText(campaigns: readonly CampaignStatus[]): string {
  if (campaigns.length === 0) return 'no campaign in this store\n';
  return campaigns.map(lineOf).join('');
}

function lineOf({ name, stopped, slices, done, underWay, givenUp, rounds, findings, anomalies, news }: CampaignStatus): string {
  const found = ['bug', 'undocumented', 'documented'].map((verdict) => `${findings[verdict] ?? 0} ${verdict}`).join(', ');
  const state = stopped ? 'stopped' : done + givenUp === slices ? 'done' : 'running';
  return `${name}: ${state}; ${done} of ${slices} slices done, ${underWay} under way, ${givenUp} given up; ${rounds} rounds; findings: ${found} (${anomalies} anomalies)${news === undefined ? '' : `; ${news} new`}\n`;
}
