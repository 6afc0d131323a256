/**
 * Shows the campaigns of a store with their progress and workers. The coverage and the findings of one
 * campaign stand below.
 */
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { Badge, Card, Figures, VERDICTS, counted, grouped } from '../../../../reports/in-page.ts';
import { CampaignFound } from './campaign-found.tsx';
import type { CampaignLine, CampaignsState, CoveredPrograms, WorkerLine } from './campaign-messages.ts';
import { Counts } from './counts.tsx';
import { LevelCard } from './level-card.tsx';
import { Lost, Notice } from './notice.tsx';
import { useEvents } from './use-events.ts';
import type { ViewProps } from './view.ts';
import { momentOf } from './words.ts';

const STATE: Readonly<Record<CampaignLine['state'], { readonly word: string; readonly look: string }>> = {
  running: { word: 'RUNNING', look: 'running' },
  stopped: { word: 'STOPPED', look: 'gone' },
  done: { word: 'DONE', look: 'clean' },
};

export function CampaignsView({ rest: [named] }: ViewProps): VNode {
  const [state, setState] = useState<CampaignsState>();
  const [failed, setFailed] = useState<string>();
  const { lost } = useEvents('api/campaigns/events', {
    campaigns: (told: CampaignsState) => {
      setState(told);
      setFailed(undefined);
    },
    failed: ({ error }: { readonly error: string }) => setFailed(error),
  });
  const campaigns = state?.campaigns ?? [];
  const shown = campaigns.find(({ name }) => name === named) ?? (named === undefined && campaigns.length === 1 ? campaigns[0] : undefined);
  return (
    <>
      <Lost lost={lost} />
      <Notice words={failed} />
      <h2>
        Campaigns <span class="count">{state && grouped(campaigns.length)}</span> {state && <span class="quiet store">{state.store}</span>}
      </h2>
      {state !== undefined && campaigns.length === 0 && (
        <p class="quiet">
          None yet. <code>anomalist campaign start FILE</code> queues one.
        </p>
      )}
      <ul class="runs">
        {campaigns.map((campaign) => (
          <Line key={campaign.name} campaign={campaign} current={campaign === shown} />
        ))}
      </ul>
      {state !== undefined && <Workers workers={state.workers} />}
      {state !== undefined && named !== undefined && shown === undefined && (
        <Notice words={`There is no campaign ${named} in this store.`} />
      )}
      {shown !== undefined && <Covered campaign={shown} />}
      {shown !== undefined && <CampaignFound key={shown.name} name={shown.name} />}
    </>
  );
}

function Line({ campaign, current }: { readonly campaign: CampaignLine; readonly current: boolean }): VNode {
  const { name, state, slices, done, underWay, givenUp, attempts, rounds, explored, findings } = campaign;
  const programs = explored.reduce((sum, each) => sum + each.programs, 0);
  const look = VERDICTS.slice(0, 2).find((verdict) => findings[verdict] > 0) ?? STATE[state].look;
  return (
    <li>
      <a class={`run-line ${look}`} href={`#/campaigns/${encodeURIComponent(name)}`} aria-current={current ? 'true' : undefined}>
        <Badge look={STATE[state].look}>{STATE[state].word}</Badge>
        <span class="name">{name}</span>
        <progress value={done + givenUp} max={slices} aria-label={`slices of ${name}`} />
        <span class="what">
          {grouped(done)} of {counted(slices, 'slice')}
          {underWay > 0 && `, ${grouped(underWay)} under way`}
          {givenUp > 0 && `, ${grouped(givenUp)} given up`}
          {attempts > 0 && `, ${grouped(attempts)} handed out again`}
        </span>
        <span class="what">
          {counted(rounds, 'round')}
          {programs > 0 && `, ${counted(programs, 'program')}`}
        </span>
        <span class="where">
          <Counts of={findings} />
        </span>
      </a>
    </li>
  );
}

function Workers({ workers }: { readonly workers: readonly WorkerLine[] }): VNode {
  const alive = workers.filter((worker) => worker.alive).length;
  return (
    <details class="panel workers" open={workers.length <= 12}>
      <summary>
        {counted(alive, 'worker')} at work
        {workers.length > alive && <span class="quiet"> · {grouped(workers.length - alive)} not heard of any more</span>}
      </summary>
      {workers.length === 0 && (
        <p class="quiet">
          Nobody was heard of in the last day. <code>anomalist worker --store …</code> does what is queued.
        </p>
      )}
      {workers.length > 0 && (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th>host</th>
                <th>process</th>
                <th class="figure">slices done</th>
                <th>at</th>
                <th>last heard of</th>
              </tr>
            </thead>
            <tbody>
              {workers.map(({ host, pid, alive: lives, accepted, slice, seenAt }) => (
                <tr key={`${host} ${pid} ${seenAt}`} class={lives ? '' : 'silent'}>
                  <td>{host}</td>
                  <td>{pid}</td>
                  <td class="figure">{grouped(accepted)}</td>
                  <td>{slice === undefined ? '–' : `${slice.campaign}, ${slice.words}, since ${momentOf(slice.since)}`}</td>
                  <td>{momentOf(seenAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}

function Covered({ campaign: { name, levels, explored, pairs } }: { readonly campaign: CampaignLine }): VNode {
  return (
    <>
      <h2>
        Coverage <span class="quiet">of {name}</span>
      </h2>
      {levels.length + explored.length === 0 && <p class="quiet">No slice is done yet.</p>}
      <div class="cards">
        {levels.map(({ target, release, level, progress }) => (
          <LevelCard
            key={`${target} ${release} ${level}`}
            target={target === release ? target : `${target}, ${release}`}
            level={level}
            kind={VERDICTS.find((verdict) => progress.anomalies[verdict] > 0) ?? 'clean'}
            progress={progress}
          />
        ))}
        {explored.map((each) => (
          <ProgramsCard key={JSON.stringify(each)} of={each} />
        ))}
      </div>
      {pairs && (
        <p class="quiet">
          Explorations had {grouped(pairs.met)} of {grouped(pairs.of)} pairs of forms, over all levels and releases.
        </p>
      )}
    </>
  );
}

function ProgramsCard({ of: { target, release, level, programs, orders } }: { readonly of: CoveredPrograms }): VNode {
  return (
    <Card look="" title={`${level}, explored`} beside={<span class="target">{target === release ? target : `${target}, ${release}`}</span>}>
      <Figures
        of={[
          ['programs', grouped(programs)],
          ['orders', grouped(orders)],
        ]}
      />
    </Card>
  );
}
