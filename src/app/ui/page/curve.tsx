/** Draws the transactions a second over the time of a run. */
import type { VNode } from 'preact';

const [WIDTH, HEIGHT] = [600, 70];
/** A rate is an average over this many points, because rounds come in bursts. */
const OVER = 6;

export function Curve({ points }: { readonly points: readonly (readonly [seconds: number, transactions: number])[] }): VNode | null {
  const rates = points.slice(1).map(([seconds, count], i) => {
    const [from, before] = points[Math.max(0, i + 1 - OVER)]!;
    return [seconds, seconds > from ? (count - before) / (seconds - from) : 0] as const;
  });
  if (rates.length < 2) return null;
  const [first, last] = [rates[0]![0], rates.at(-1)![0]];
  const most = Math.max(1, ...rates.map(([, rate]) => rate));
  const line = rates.map(
    ([seconds, rate]) => `${((seconds - first) / (last - first || 1)) * WIDTH},${HEIGHT - (rate / most) * (HEIGHT - 4)}`,
  );
  return (
    <figure class="curve">
      <figcaption class="quiet">
        transactions a second, now {rates.at(-1)![1].toFixed(1)}, at most {most.toFixed(1)}
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <polyline points={line.join(' ')} vector-effect="non-scaling-stroke" />
      </svg>
    </figure>
  );
}
