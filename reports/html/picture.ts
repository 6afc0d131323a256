/** A finding drawn: the sessions' timeline and beside it the cycle with its edges. Each part lights up what belongs to it. */
import type { AnomalyFinding } from '../../core/index.ts';
import { ownSql } from '../text/own-sql.ts';
import { cycleGraph } from './cycle-graph.ts';
import { edgeList } from './edge-list.ts';
import { term } from './glossary.ts';
import { lights } from './lights.ts';
import { html, type Markup } from './markup.ts';
import { timeline } from './timeline.ts';

/** With more sessions than this the timeline takes the whole width and the cycle stands above it. */
const LANES_BESIDE = 3;
/** Statements of a first look. */
const FIRST_LOOK = 14;

/** `first`: on the first screen, what the anomaly rests on alone. */
export function picture(shown: AnomalyFinding, first: boolean = false): Markup {
  const lit = lights(shown);
  const lanes = new Set(shown.statements.map((statement) => statement.session)).size;
  const probed = shown.statements.some((each) => ownSql(each) !== each.sql);
  return html`<div class="picture${lanes > LANES_BESIDE ? ' wide' : ''}" data-scope>
<section class="time" aria-label="Timeline"><header><h3>Sessions, in observed order</h3>${probed ? html`<button type="button" class="toggle" data-sent aria-pressed="false" title="The statements with the auxiliary columns that were added to them">As sent</button>` : null}</header>${timeline(shown, lit, first ? FIRST_LOOK : undefined)}</section>
<section class="graph${shown.anomaly.cycle.length <= 3 ? ' short' : ''}" aria-label="Cycle"><h3>Dependency ${term('cycle')}</h3>${cycleGraph(shown, lit)}${edgeList(shown, lit, !first)}</section>
</div>`;
}
