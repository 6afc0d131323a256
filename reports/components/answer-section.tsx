/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Makes the first screen. It says in a sentence how the run ended, counts the findings of each level, and draws the
 * worst case.
 */
import type { VNode } from 'preact';
import { isAnomaly } from '../../core/verdict/index.ts';
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { ExploredPart, LevelReport, Report } from '../../core/verdict/index.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import { findingName, rankOfFinding } from '../finding/facts.ts';
import { allowsWords } from '../run/allowed.ts';
import { exploredStanding, exploredWords } from '../run/explored.ts';
import { levelKey, standing, sum, VERDICTS } from '../run/figures.ts';
import { holdsWord } from '../run/holds.ts';
import { runVerdict } from '../run/verdict.ts';
import { worstOf } from '../run/worst.ts';
import { grouped } from '../text/words.ts';
import { Badge } from './badge.tsx';
import { Command } from './command.tsx';
import { facetValue, type Facets } from './facets.ts';
import { Term, termOf } from './glossary.tsx';
import { Picture } from './picture.tsx';
import { ExploredLanes } from './step-lanes.tsx';
import { Verdict } from './verdict.tsx';

/** At most this many names of anomalies fit beside each other. */
const MOST_NAMES = 7;

interface Props {
  readonly report: Report;
  readonly facets: Facets;
}

export function AnswerSection({ report, facets }: Props): VNode {
  const { kind, word, sentences, beside } = runVerdict(report);
  return (
    <section class="first" aria-label="Answer">
      <Verdict look={kind} word={word} label="Verdict">
        <div>
          {sentences.map((words) => (
            <p>{words}</p>
          ))}
          {beside.map((words) => (
            <p class="quiet">{words}</p>
          ))}
        </div>
      </Verdict>
      <Grid report={report} facets={facets} />
      <WorstCase report={report} />
    </section>
  );
}

function WorstCase({ report }: { readonly report: Report }): VNode | null {
  const found = worstOf(report);
  if (found === undefined) return null;
  const { n, finding } = found;
  const rank = rankOfFinding(finding);
  return (
    <section class="worst" aria-label="The worst case">
      <h2>
        The worst case <Badge look={rank}>{rank === 'known' ? 'known bug' : rank}</Badge>{' '}
        <a href={`#finding-${n}`}>{findingName(finding)}</a>{' '}
        <span class="quiet">
          {finding.target} at {finding.level}, finding {n}
        </span>
      </h2>
      {isAnomaly(finding) ? <Picture shown={asReplayed(finding)} first /> : <ExploredLanes {...finding.family.example} />}
      <Command text={finding.replay} label="Command that replays the worst case" />
    </section>
  );
}

/** Shows a row for each level and a column for each name of an anomaly. A click on a number filters the findings. */
function Grid({ report: { levels, explored }, facets }: Props): VNode {
  const names = namesOf(levels);
  return (
    <div
      class={`scroll levels${names.length > MOST_NAMES ? ' many' : ''}`}
      tabIndex={0}
      role="group"
      aria-label="What was seen at each level"
    >
      <table>
        <thead>
          <tr>
            <th scope="col">level</th>
            {names.map((name) => (
              <th scope="col" class="num">
                <Term word={name} />
              </th>
            ))}
            <th scope="col">
              <Term word="shown to hold" /> for
            </th>
          </tr>
        </thead>
        <tbody>
          {levels.map((level) => (
            <LevelRow level={level} among={levels} names={names} facets={facets} />
          ))}
          {explored?.levels.map((level) => (
            <ExploredRow part={explored} level={level} columns={names.length + 1} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface LevelRowProps {
  readonly level: LevelReport;
  readonly among: readonly LevelReport[];
  readonly names: readonly string[];
  readonly facets: Facets;
}

function LevelRow({ level, among, names, facets }: LevelRowProps): VNode {
  const key = levelKey(level);
  return (
    <tr>
      <th scope="row">
        <span class={`dot ${standing(level).kind}`}></span>
        <a href={`#level-${key}`}>
          {among.some((other) => other !== level && levelKey(other) === key) && `${level.target} `}
          {key}
        </a>
      </th>
      {names.map((name) => (
        <Cell level={level} name={name} facets={facets} />
      ))}
      <Holds level={level} />
    </tr>
  );
}

interface ExploredRowProps {
  readonly part: ExploredPart;
  readonly level: ExploredPart['levels'][number];
  readonly columns: number;
}

function ExploredRow({ part, level, columns }: ExploredRowProps): VNode {
  const { kind, words } = exploredStanding(level);
  return (
    <tr>
      <th scope="row">
        <span class={`dot ${kind}`}></span>
        <a href="#explored">
          {level.level}, {exploredWords(part).short}
        </a>
      </th>
      <td colspan={columns}>{words}</td>
    </tr>
  );
}

function Holds({ level }: { readonly level: LevelReport }): VNode {
  const allows = allowsWords(level);
  if (allows !== undefined) return <td data-name="the vendor">{allows}</td>;
  const word = holdsWord(level);
  return <td data-name={/^(violated|unknown)$/.test(word) ? 'the level is' : 'shown to hold for'}>{word}</td>;
}

/** Puts the worst name first, and then the most frequent one. */
function namesOf(levels: readonly LevelReport[]): readonly string[] {
  const names = [...new Set(levels.flatMap((level) => Object.keys(level.names)))];
  const all = (name: string, verdict: PromiseVerdict): number => sum(levels.map((level) => level.names[name]?.[verdict]));
  const worst = (name: string): number => VERDICTS.findIndex((verdict) => all(name, verdict) > 0);
  const total = (name: string): number => sum(VERDICTS.map((verdict) => all(name, verdict)));
  return names.toSorted((a, b) => worst(a) - worst(b) || total(b) - total(a));
}

interface CellProps {
  readonly level: LevelReport;
  readonly name: string;
  readonly facets: Facets;
}

function Cell({ level, name, facets }: CellProps): VNode {
  const counts = VERDICTS.flatMap((verdict) => {
    const n = level.names[name]?.[verdict] ?? 0;
    return n === 0 ? [] : [{ verdict, n }];
  });
  if (counts.length === 0) return <td class="num zero">·</td>;
  const picks = [facetValue(facets, 'level', level.level), facetValue(facets, 'shape', name)];
  const shown = counts.map(({ verdict, n }) => <span class={verdict}>{grouped(n)}</span>);
  return (
    <td class="num" data-name={name}>
      {picks.includes(undefined) ? (
        shown
      ) : (
        <button
          type="button"
          class="chosen"
          data-picks={picks.join(',')}
          data-term={termOf(name) ?? ''}
          aria-label={`${name} at ${level.level}: show these findings`}
        >
          {shown}
        </button>
      )}
    </td>
  );
}
