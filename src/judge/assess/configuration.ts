/**
 * Returns the settings by which one anomaly is judged. They are the round's settings and what the endpoints of its
 * transactions add. On a target of several endpoints they also say whether its transactions ran on one endpoint or on
 * more.
 */
import { NONE } from '../../../core/index.ts';
import type { Anomaly } from '../../../core/index.ts';
import type { RoundOutcome } from '../../execute/index.ts';

export function judgedConfiguration(
  { history, configuration, endpoints, placed }: Pick<RoundOutcome, 'history' | 'configuration' | 'endpoints' | 'placed'>,
  anomaly: Pick<Anomaly, 'transactions'>,
): Readonly<Record<string, string>> {
  if (endpoints.length < 2) return configuration;
  const { id, session } = history.transactions;
  const sessionOf = new Map(Array.from(id, (each, t) => [each, session[t] ?? NONE]));
  const used = new Set(anomaly.transactions.flatMap((each) => placed[sessionOf.get(each) ?? NONE] ?? []));
  // A standby's settings override a primary's.
  const added = [...used]
    .sort((a, b) => Number(endpoints[a]?.readOnly) - Number(endpoints[b]?.readOnly))
    .map((endpoint) => endpoints[endpoint]?.configuration ?? {});
  return Object.assign({}, configuration, ...added, { endpoints: used.size > 1 ? 'several' : 'one' }) as Record<string, string>;
}
