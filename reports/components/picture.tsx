/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Draws a finding: the timeline of the sessions, and beside it the cycle with its edges. Each part lights up the parts
 * that belong to it.
 */
import type { VNode } from 'preact';
import type { AnomalyFinding } from '../../core/verdict/index.ts';
import { ownSql } from '../text/own-sql.ts';
import { CycleGraph } from './cycle-graph.tsx';
import { EdgeList } from './edge-list.tsx';
import { Term } from './glossary.tsx';
import { lights } from './lights.ts';
import { Timeline } from './timeline.tsx';

/** The timeline takes the whole width if there are more sessions, and the cycle then stands above it. */
const LANES_BESIDE = 3;
/** The first screen shows at most this many statements. */
const FIRST_LOOK = 14;

interface Props {
  readonly shown: AnomalyFinding;
  /** True on the first screen, which shows only the statements that are part of the anomaly. */
  readonly first?: boolean;
}

export function Picture({ shown, first = false }: Props): VNode {
  const lit = lights(shown);
  const lanes = new Set(shown.statements.map((statement) => statement.session)).size;
  const probed = shown.statements.some((each) => ownSql(each) !== each.sql);
  return (
    <div class={`picture${lanes > LANES_BESIDE ? ' wide' : ''}`} data-scope="">
      <section class="time" aria-label="Timeline">
        <header>
          <h3>Sessions, in observed order</h3>
          {probed && <AsSent />}
        </header>
        <Timeline finding={shown} lit={lit} only={first ? FIRST_LOOK : undefined} />
      </section>
      <section class={`graph${shown.anomaly.cycle.length <= 3 ? ' short' : ''}`} aria-label="Cycle">
        <h3>
          Dependency <Term word="cycle" />
        </h3>
        <CycleGraph finding={shown} lit={lit} />
        <EdgeList finding={shown} lit={lit} unfolds={!first} />
      </section>
    </div>
  );
}

function AsSent(): VNode {
  return (
    <button
      type="button"
      class="toggle"
      data-sent=""
      aria-pressed="false"
      title="The statements with the auxiliary columns that were added to them"
    >
      As sent
    </button>
  );
}
