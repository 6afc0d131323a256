/** The rounds of a run with its record open: whatever ends them, the record is closed. */
import { Recorder } from '../execute/index.ts';
import { VERSION } from '../process/version.ts';
import type { Collected } from './collected.ts';
import type { RunPlan } from './plan.ts';
import { whyStopped } from './stage.ts';

/** Says why the run ended early, if it did: that the record could not be closed counts too. */
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

/** Closes the record; why it is not whole, if it is not. */
function closed(recorder: Recorder): string | undefined {
  try {
    recorder.end();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
