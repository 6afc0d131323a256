/** Shows one run. It follows a run that goes on, and shows the findings once the report exists. */
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ProgressEvent } from '../../../../core/verdict/index.ts';
import { ask } from './ask.ts';
import { LiveRun } from './live-run.tsx';
import type { RunDetails, RunLine } from './messages.ts';
import { Lost, Notice } from './notice.tsx';
import { ReportedRun } from './reported-run.tsx';
import { NO_PROGRESS, progressed } from './run-progress.ts';
import { useEvents } from './use-events.ts';
import type { ViewProps } from './view.ts';
import { whenOf } from './words.ts';

export function RunView({ rest: [id = ''] }: ViewProps): VNode {
  const [progress, setProgress] = useState(NO_PROGRESS);
  const [line, setLine] = useState<RunLine | null>();
  const [details, setDetails] = useState<RunDetails>();
  const [failed, setFailed] = useState<string>();
  const path = `api/runs/${encodeURIComponent(id)}`;
  const stream = useEvents(
    `${path}/events`,
    {
      progress: (events: readonly ProgressEvent[]) => setProgress((before) => progressed(before, events)),
      line: (told: RunLine | null) => setLine(told),
    },
    () => setProgress(NO_PROGRESS),
  );
  const state = line?.state;
  useEffect(() => {
    if (state === undefined || state === 'running') return;
    stream.close();
    if (state === 'finished') ask<RunDetails>(path).then(setDetails, (error: Error) => setFailed(error.message));
  }, [state, path]);
  return (
    <>
      <nav class="trail" aria-label="Where this is">
        <a href="#/">Runs</a> <span aria-current="page">{whenOf(id)}</span> <span class="quiet">{id}</span>
      </nav>
      <Lost lost={stream.lost && state !== 'finished' && state !== 'lost'} />
      <Notice words={failed ?? (line === null ? 'There is no run of this name.' : undefined)} />
      {details !== undefined && <ReportedRun details={details} progress={progress} />}
      {details === undefined && line && state !== 'finished' && <LiveRun progress={progress} line={line} />}
    </>
  );
}
