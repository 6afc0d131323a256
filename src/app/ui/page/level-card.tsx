/** Shows the work of one level: rounds, transactions, their rate, pairs of forms, and anomalies. */
import type { ComponentChildren, VNode } from 'preact';
import { Card, Figures, grouped } from '../../../../reports/in-page.ts';
import { Counts } from './counts.tsx';
import type { LevelLine } from './messages.ts';

interface Props {
  readonly target: string;
  readonly level: string;
  /** The verdict or standing colours the card's edge. */
  readonly kind: string;
  readonly progress: LevelLine['progress'];
  /** Gives the seconds of the whole run so far. It is absent if the run is over. */
  readonly seconds?: number;
  readonly children?: ComponentChildren;
}

export function LevelCard({ target, level, kind, progress, seconds, children }: Props): VNode {
  const { rounds, transactions, committed, anomalies, pairs } = progress;
  const figures: readonly (readonly [string, string])[] = [
    ['rounds', grouped(rounds)],
    ['transactions', grouped(transactions)],
    ['committed', transactions === 0 ? '–' : `${Math.round((100 * committed) / transactions)} %`],
    ...(seconds === undefined || seconds === 0 ? [] : [['transactions a second', (transactions / seconds).toFixed(1)] as const]),
    ...(pairs === undefined ? [] : [['pairs of forms met', `${grouped(pairs.met)} of ${grouped(pairs.of)}`] as const]),
  ];
  return (
    <Card look={kind} title={level} beside={<span class="target">{target}</span>}>
      <Figures of={figures} />
      <Counts of={anomalies} />
      {children}
    </Card>
  );
}
