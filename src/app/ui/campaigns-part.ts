/** Shows the campaigns of a store as they change: workers, coverage, findings, and which of them are new. */
import type { PromiseVerdict } from '../../../core/level/index.ts';
import { anomalyName, edgeKinds, explanationOfProgram, familyName, familySql, findingName } from '../../../reports/index.ts';
import { releaseName } from '../../scale/campaign/chosen-findings.ts';
import { partWord } from '../../scale/campaign/slices.ts';
import { statusOf } from '../../scale/campaign/status.ts';
import type { CampaignStatus } from '../../scale/campaign/status.ts';
import { SILENT_MS } from '../../scale/campaign/work.ts';
import type { StoredCoverage, StoredPrograms } from '../../scale/campaign/store/read-coverage.ts';
import { isExplored } from '../../scale/campaign/store/read-everything.ts';
import type { AnyStored } from '../../scale/campaign/store/read-everything.ts';
import type { StoredExplored } from '../../scale/campaign/store/read-explored.ts';
import type { StoredFinding } from '../../scale/campaign/store/read-findings.ts';
import { storedWorkers } from '../../scale/campaign/store/read-workers.ts';
import type { StoredWorker } from '../../scale/campaign/store/read-workers.ts';
import { daysAgo } from '../../target/parse-date.ts';
import type { CampaignStore } from './campaign-store.ts';
import type { CampaignFindings, CampaignLine, CampaignsState, StoredDetails, StoredFamily, WorkerLine } from './page/campaign-messages.ts';
import type { Part, UiContext } from './part.ts';
import { poll } from './poll.ts';
import { NOT_FOUND } from './route.ts';
import type { EventSender } from './route.ts';

const LOOK_MS = 2_000;
/** Workers that did not report for longer are not shown. */
const WORKER_HOURS = 24;
/** At most this many findings have statements, because a file has some fifty thousand characters. */
const MOST_SQL = 100;

export function campaignsPart({ store }: UiContext): Part {
  if (store === undefined) return { routes: [] };
  return {
    routes: [
      { method: 'GET', path: '/api/campaigns/events', answer: () => ({ events: follow('campaigns', () => stateOf(store)) }) },
      {
        method: 'GET',
        path: '/api/campaigns/:name/events',
        answer: ({ params }) => ({ events: follow('findings', () => findingsOf(store, params['name']!)) }),
      },
      {
        method: 'GET',
        path: '/api/stored/:key',
        answer: async ({ params }) => {
          const details = await detailsOf(store, params['key']!);
          return details === undefined ? NOT_FOUND : { json: details };
        },
      },
    ],
    close: () => store.close(),
  };
}

/** Sends the value whenever it has changed. If the store does not answer, it sends that, and asks again. */
function follow(name: string, read: () => Promise<unknown>): EventSender {
  return (send, gone) => {
    let told = '';
    const tell = (event: string, data: unknown): void => {
      const text = JSON.stringify([event, data]);
      if (text !== told) send(event, data);
      told = text;
    };
    return poll(LOOK_MS, gone, async () => {
      try {
        tell(name, await read());
      } catch (error) {
        tell('failed', { error: error instanceof Error ? error.message : String(error) });
      }
    });
  };
}

async function stateOf(store: CampaignStore): Promise<CampaignsState> {
  const [{ coverage, programs }, findings] = [await store.allCoverage(), await store.allFindings()];
  return store.read(async (sql) => {
    const [campaigns, workers] = [
      await statusOf({ connection: { transaction: (work) => work(sql) } }),
      await storedWorkers(sql, WORKER_HOURS),
    ];
    return {
      store: store.shown,
      campaigns: campaigns.map((status) => ({
        ...campaignLine(status, coverage, findings.filter(isFromRounds)),
        ...exploredOf(status, programs),
      })),
      workers: workers.map(workerLine),
    };
  });
}

function campaignLine(
  status: CampaignStatus,
  coverage: readonly StoredCoverage[],
  stored: readonly StoredFinding[],
): Omit<CampaignLine, 'explored' | 'pairs'> {
  const { name, stopped, slices, done, underWay, givenUp, attempts, rounds, findings } = status;
  const own = stored.filter(({ campaign }) => campaign === name);
  return {
    name,
    state: stopped ? 'stopped' : done + givenUp === slices ? 'done' : 'running',
    slices,
    done,
    underWay,
    givenUp,
    attempts: Object.values(attempts).reduce((sum, count) => sum + count, 0),
    rounds,
    findings: byVerdict((verdict) => findings[verdict] ?? 0),
    levels: coverage
      .filter(({ campaign }) => campaign === name)
      .map(({ target, release, level, rounds: covered, transactions, committed, statements }) => {
        const here = own.filter((each) => each.target === target && each.release === release && each.level === level);
        const anomalies = byVerdict((verdict) =>
          here.filter((each) => each.verdict === verdict).reduce((sum, { count }) => sum + count, 0),
        );
        return {
          target,
          release: releaseName(release),
          level,
          progress: { rounds: covered, transactions, committed, statements, anomalies },
        };
      }),
  };
}

/**
 * Returns the explored programs of a campaign. It also returns the pairs of forms that some program had, over all of
 * them.
 */
function exploredOf({ name, coverage }: CampaignStatus, programs: readonly StoredPrograms[]): Pick<CampaignLine, 'explored' | 'pairs'> {
  const sum = (of: 'pairs' | 'covered'): number => coverage.reduce((total, at) => total + at[of], 0);
  return {
    explored: programs
      .filter(({ campaign }) => campaign === name)
      .map(({ target, release, level, programs: ran, orders }) => ({
        target,
        release: releaseName(release),
        level,
        programs: ran,
        orders,
      })),
    ...(coverage.length > 0 && { pairs: { met: sum('covered'), of: sum('pairs') } }),
  };
}

function isFromRounds(stored: AnyStored): stored is StoredFinding {
  return !isExplored(stored);
}

function byVerdict(count: (verdict: PromiseVerdict) => number): Readonly<Record<PromiseVerdict, number>> {
  return { bug: count('bug'), undocumented: count('undocumented'), documented: count('documented') };
}

function workerLine({ host, pid, seenAt, silentMs, accepted, slice, job, since }: StoredWorker): WorkerLine {
  return {
    host,
    pid,
    alive: silentMs < SILENT_MS,
    seenAt: seenAt.toISOString(),
    accepted,
    ...(slice !== null &&
      job !== null &&
      since !== null && { slice: { campaign: slice.campaign, words: partWord(job, slice), since: since.toISOString() } }),
  };
}

/** Puts the worst verdict first, then families with more new findings, then those with more anomalies. */
async function findingsOf(store: CampaignStore, name: string): Promise<CampaignFindings> {
  const since = daysAgo(1);
  const families = new Map<string, StoredFinding[]>();
  const all = (await store.allFindings()).filter(({ campaign }) => campaign === name);
  const own = all.filter(isFromRounds);
  // The findings are in the order of their numbers, so the worst come first.
  const sql = await store.statementsOf(own.filter(({ whole }) => whole).slice(0, MOST_SQL));
  for (const finding of own) {
    const { target, release, level, verdict, line } = finding;
    const key = JSON.stringify([target, release, level, verdict, anomalyName(line.anomaly), edgeKinds(line.anomaly)]);
    families.set(key, [...(families.get(key) ?? []), finding]);
  }
  return {
    since: since.toISOString(),
    families: [
      ...[...families.values()].map((members) => familyOf(members, since, sql)),
      ...all.filter(isExplored).map((each) => exploredFamily(each, since)),
    ].toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) || newsIn(b) - newsIn(a) || b.anomalies - a.anomalies),
  };
}

const VERDICTS: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];

function newsIn({ findings }: StoredFamily): number {
  return findings.filter(({ isNew }) => isNew).length;
}

function familyOf(members: readonly StoredFinding[], since: Date, sql: ReadonlyMap<string, string>): StoredFamily {
  const { target, release, level, verdict, line } = members[0]!;
  return {
    target,
    release: releaseName(release),
    level,
    verdict,
    name: anomalyName(line.anomaly),
    edges: edgeKinds(line.anomaly),
    anomalies: members.reduce((sum, { count }) => sum + count, 0),
    findings: members
      .toSorted((a, b) => b.firstSeen.getTime() - a.firstSeen.getTime())
      .map((each) => ({
        key: each.key,
        n: each.n,
        whole: each.whole,
        count: each.count,
        statements: each.statements,
        firstSeen: each.firstSeen.toISOString(),
        isNew: each.firstSeen >= since,
        explanation: each.line.anomaly.explanation,
        sql: sql.get(each.key) ?? '',
      })),
  };
}

/** Shows a family of programs whole, with the statements of its example. */
function exploredFamily(explored: StoredExplored, since: Date): StoredFamily {
  const { key, target, release, level, verdict, family, count, n, firstSeen, statements } = explored;
  return {
    target,
    release: releaseName(release),
    level,
    verdict,
    name: familyName(family),
    edges: '',
    anomalies: count,
    explored: true,
    findings: [
      {
        key,
        n,
        whole: true,
        count,
        statements,
        firstSeen: firstSeen.toISOString(),
        isNew: firstSeen >= since,
        explanation: family.says,
        sql: familySql(family),
      },
    ],
  };
}

async function detailsOf(store: CampaignStore, key: string): Promise<StoredDetails | undefined> {
  const stored = await store.finding(key);
  if (stored === undefined) return undefined;
  const { n, campaign, target, release, settings, level, verdict, count, statements, firstSeen, lastSeen } = stored;
  const whole = await store.wholeFinding(key);
  return {
    n,
    campaign,
    level,
    verdict,
    target,
    release,
    settings,
    count,
    statements,
    firstSeen: firstSeen.toISOString(),
    lastSeen: lastSeen.toISOString(),
    ...(whole !== undefined && { whole }),
    replays: whole !== undefined,
    ...(isExplored(stored) ? shownProgram(stored) : shownAnomaly(stored)),
  };
}

function shownAnomaly({ line: { anomaly, replay } }: StoredFinding): Pick<StoredDetails, 'name' | 'explanation' | 'edges' | 'command'> {
  return {
    name: anomalyName(anomaly),
    explanation: anomaly.explanation,
    edges: anomaly.cycle.map(({ from, to, rel, explanation }) => ({ from, to, rel, explanation })),
    command: replay,
  };
}

/** A family that an older tool wrote holds no case to replay. */
function shownProgram({
  finding,
}: StoredExplored): Pick<StoredDetails, 'name' | 'explanation' | 'edges' | 'command' | 'replays' | 'explored'> {
  return {
    name: findingName(finding),
    explanation: explanationOfProgram(finding),
    edges: [],
    command: finding.replay,
    replays: finding.family.example.case !== undefined,
    explored: true,
  };
}
