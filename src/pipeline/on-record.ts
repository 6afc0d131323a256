/** Runs the rounds of a run with its record open. However they end, the record is closed. */
import { Recorder } from '../execute/index.ts';
import { VERSION } from '../process/version.ts';
import type { Collected } from './collected.ts';
import type { RunPlan } from './plan.ts';
import { whyStopped } from './stage.ts';

/** Returns why the run ended early, if it did. A record that could not be closed counts too. */
export async function onRecord(
  plan: RunPlan,
  collected: Collected,
  rounds: (recorder: Recorder) => Promise<string | undefined>,
): Promise<string | undefined> {
  const recorder = new Recorder(plan.historyFile, { tool: `anomalist ${VERSION}`, seed: plan.seed });
  let endedEarly: string | undefined;
  try {
    endedEarly = await rounds(recorder);
  } catch (error) {
    const why = whyStopped(error, plan.target.dialect, collected.isEmpty);
    if (!plan.signal.aborted) endedEarly = why;
  } finally {
    const unwritten = closed(recorder);
    endedEarly ??= unwritten;
  }
  return endedEarly;
}

/** Closes the record. Returns the reason if it is not whole. */
function closed(recorder: Recorder): string | undefined {
  try {
    recorder.end();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
