/**
 * Shows a finding of a store: the file of its smallest reproduction, and where and when it was seen. Its buttons replay
 * it.
 */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { counted, grouped } from '../../../../reports/in-page.ts';
import { ask } from './ask.ts';
import type { StoredDetails } from './campaign-messages.ts';
import { FindingHead, FindingInBrief, FindingWhole } from './finding-shown.tsx';
import type { ReplayState } from './messages.ts';
import { Notice } from './notice.tsx';
import { ReplayPanel } from './replay-panel.tsx';
import type { ViewProps } from './view.ts';
import { momentOf } from './words.ts';

export function StoredFindingView({ rest: [key = ''] }: ViewProps): VNode {
  const [finding, setFinding] = useState<StoredDetails>();
  const [failed, setFailed] = useState<string>();
  const [replayed, setReplayed] = useState<ReplayState>();
  const path = `api/stored/${encodeURIComponent(key)}`;
  useEffect(() => {
    ask<StoredDetails>(path).then(setFinding, (error: Error) => setFailed(error.message));
  }, [path]);
  return (
    <>
      <nav class="trail" aria-label="Where this is">
        <a href="#/campaigns">Campaigns</a>{' '}
        {finding && <a href={`#/campaigns/${encodeURIComponent(finding.campaign)}`}>{finding.campaign}</a>}{' '}
        <span aria-current="page">finding {finding?.n}</span>
      </nav>
      <Notice words={failed} />
      {finding && (
        <>
          <FindingHead of={finding} />
          <Seen finding={finding} />
          {finding.replays && <ReplayPanel path={path} run={finding.campaign} n={finding.n} target={finding.target} done={setReplayed} />}
          {finding.whole === undefined ? (
            <FindingInBrief of={finding}>
              The documents allow it, and its statements are not kept; this command runs its round again.
            </FindingInBrief>
          ) : (
            <FindingWhole key={replayed?.id} n={finding.n} finding={replayed?.result?.finding ?? finding.whole} />
          )}
        </>
      )}
    </>
  );
}

function Seen({ finding }: { readonly finding: StoredDetails }): VNode {
  const { release, explored, count, statements, firstSeen, lastSeen, settings } = finding;
  const set = Object.entries(settings);
  return (
    <section class="panel seen-where" aria-label="Where and when it was seen">
      <p>
        {explored === true ? `Seen in ${counted(count, 'program')}` : count === 1 ? 'Seen once' : `Seen ${grouped(count)} times`}, first{' '}
        {momentOf(firstSeen)}
        {count > 1 && `, last ${momentOf(lastSeen)}`}
        {statements !== null && `; the smallest reproduction so far has ${counted(statements, 'statement')}`}.
      </p>
      <p class="quiet">{release}</p>
      {set.length > 0 && (
        <details>
          <summary>{counted(set.length, 'setting')}</summary>
          <dl class="settings">
            {set.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </section>
  );
}
