/** One finding as a report shows it, and the buttons that replay and reduce it. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ask } from './ask.ts';
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
  const again = replayed?.result?.body;
  return (
    <>
      <nav class="trail" aria-label="Where this is">
        <a href="#/">Runs</a> <a href={`#/run/${encodeURIComponent(run)}`}>{whenOf(run)}</a> <span aria-current="page">finding {n}</span>
      </nav>
      <Notice words={failed} />
      {finding && (
        <>
          <h2 class="finding-head">
            <span class={`badge ${finding.verdict}`}>{finding.verdict}</span> {finding.name}{' '}
            <span class="quiet">
              {finding.target}, {finding.level}
            </span>
          </h2>
          {finding.replays && <ReplayPanel path={path} run={run} n={finding.n} target={finding.target} done={setReplayed} />}
          {finding.body === '' ? (
            <InBrief finding={finding} run={run} />
          ) : (
            <div class="body finding-part" dangerouslySetInnerHTML={{ __html: again || finding.body }} />
          )}
        </>
      )}
    </>
  );
}

/** The documents allow it, and another one of its family is kept whole. */
function InBrief({
  finding: { explanation, edges, command, instead },
  run,
}: {
  readonly finding: FindingDetails;
  readonly run: string;
}): VNode {
  return (
    <>
      <p class="explanation">{explanation}</p>
      <ol class="edges">
        {edges.map(({ from, to, rel, explanation: why }, i) => (
          <li key={i}>
            <b class="pair">
              T{from} <i>{rel}</i> T{to}
            </b>
            <p>{why}</p>
          </li>
        ))}
      </ol>
      <p class="quiet">
        The documents allow it, and its statements are in the run’s history alone.{' '}
        {instead !== undefined && (
          <>
            One of its family is told in full: <a href={`#/finding/${encodeURIComponent(run)}/${instead}`}>finding {instead}</a>.
          </>
        )}
      </p>
      <pre class="replay" tabIndex={0} aria-label="Command that runs this round again">
        <code>{command}</code>
      </pre>
    </>
  );
}
