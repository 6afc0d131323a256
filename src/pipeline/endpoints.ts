/** Finds out which of several endpoints take no writes, before a case is made. */
import type { Connection, EndpointState } from '../../core/index.ts';
import type { Target } from '../target/target.ts';
import { lookAtEndpoints } from '../execute/index.ts';

/** Empty for a single endpoint. */
export async function statesOf({ dialect, urls }: Target): Promise<readonly EndpointState[]> {
  if (urls.length < 2) return [];
  const controls: Connection[] = [];
  try {
    for (const url of urls) controls.push(await dialect.connect(url, {}));
    return await lookAtEndpoints(dialect, controls);
  } finally {
    await Promise.all(controls.map((control) => control.end()));
  }
}
