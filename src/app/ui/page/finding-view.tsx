/** Shows one finding as a report does, with the buttons that replay and reduce it. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
import { FindingHead, FindingInBrief, FindingWhole } from './finding-shown.tsx';
import type { FindingDetails, ReplayState } from './messages.ts';
import { Notice } from './notice.tsx';
import { ReplayPanel } from './replay-panel.tsx';
import type { ViewProps } from './view.ts';
import { whenOf } from './words.ts';

export function FindingView({ rest: [run = '', n = ''] }: ViewProps): VNode {
  const [finding, setFinding] = useState<FindingDetails>();
  const [failed, setFailed] = useState<string>();
  const [replayed, setReplayed] = useState<ReplayState>();
  const path = `api/runs/${encodeURIComponent(run)}/findings/${encodeURIComponent(n)}`;
  useEffect(() => {
    setFinding(undefined);
    setReplayed(undefined);
    ask<FindingDetails>(path).then(setFinding, (error: Error) => setFailed(error.message));
  }, [path]);
  return (
    <>
      <nav class="trail" aria-label="Where this is">
        <a href="#/">Runs</a> <a href={`#/run/${encodeURIComponent(run)}`}>{whenOf(run)}</a> <span aria-current="page">finding {n}</span>
      </nav>
      <Notice words={failed} />
      {finding && (
        <>
          <FindingHead of={finding} />
          {finding.replays && <ReplayPanel path={path} run={run} n={finding.n} target={finding.target} done={setReplayed} />}
          {finding.whole === undefined ? (
            <FindingInBrief of={finding}>
              The documents allow it, and its statements are in the run’s history alone.{' '}
              {finding.instead !== undefined && (
                <>
                  One of its family is told in full:{' '}
                  <a href={`#/finding/${encodeURIComponent(run)}/${finding.instead}`}>finding {finding.instead}</a>.
                </>
              )}
            </FindingInBrief>
          ) : (
            <FindingWhole key={replayed?.id} n={finding.n} finding={replayed?.result?.finding ?? finding.whole} />
          )}
        </>
      )}
    </>
  );
}
