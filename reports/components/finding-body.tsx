/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows one finding in full. An explanation and the vendor's promise with its source come first. The timeline of the
 * sessions follows, with the cycle beside it and a sentence for each edge. Then come the reproduction, the files, the
 * row versions and the setup. Findings of rounds and of explorations have the same parts.
 */
import type { ComponentChildren, VNode } from 'preact';
import { isAnomaly } from '../../core/verdict/index.ts';
import type { AnomalyFinding, Finding, ListedFinding, ProgramFinding } from '../../core/verdict/index.ts';
import { explanationOfProgram } from '../finding/facts.ts';
import { findingFile } from '../finding/json.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import type { FindingFile } from '../repro/files.ts';
import { hasCase } from '../repro/repro-case.ts';
import { brokenSentence } from '../run/invariant-lines.ts';
import { explanationOf } from '../text/in-users-rows.ts';
import { clip } from '../text/visible.ts';
import { bareReplaySentence, counted, promiseSentence, sourceWords } from '../text/words.ts';
import { Facts } from './card.tsx';
import { Command, CopyButton } from './command.tsx';
import { CycleGraph } from './cycle-graph.tsx';
import { EdgeList } from './edge-list.tsx';
import { Term, TermNames } from './glossary.tsx';
import { lights } from './lights.ts';
import { Picture } from './picture.tsx';
import { CopySection, ReproductionSection } from './reproduction-section.tsx';
import { ExploredLanes } from './step-lanes.tsx';
import { VersionTable } from './version-table.tsx';

const SHOWN_SETUP = 20_000;

interface Props {
  /** Numbers the finding in the report of its run. It is absent if that report does not list the finding. */
  readonly n?: number | undefined;
  readonly finding: Finding;
  /** A reader can copy these files. */
  readonly files?: readonly FindingFile[];
  /** Names the invariants that the finding breaks. */
  readonly broken?: readonly string[];
}

export function FindingBody({ n, finding, files = [], broken = [] }: Props): VNode {
  // The reduced case is shown if there is one, because it is easier to read.
  const shown = isAnomaly(finding) ? asReplayed(finding) : finding;
  return (
    <>
      <Command text={finding.replay} label="Command that replays this finding" />
      <p class="explanation">{isAnomaly(shown) ? explanationOf(shown) : explanationOfProgram(shown)}</p>
      {broken.length > 0 && <p>{brokenSentence(broken)}</p>}
      <VendorPromise finding={finding} />
      <p class={`bare${isAnomaly(finding) && finding.bareReplay === undefined ? ' none' : ''}`}>{bareReplaySentence(finding)}</p>
      {isAnomaly(finding) && <Drawn n={n} finding={finding} />}
      {isAnomaly(shown) && <Picture shown={shown} />}
      {isAnomaly(finding) ? <AnomalyFacts finding={finding} /> : <ProgramFacts finding={finding} />}
      <ReproductionSection finding={finding} />
      {!isAnomaly(finding) && finding.replay !== finding.family.example.command && (
        <Command text={finding.family.example.command} label="Command that runs this program alone, in every order" />
      )}
      <CopySection finding={finding} files={files} />
      {isAnomaly(shown) ? (
        <>
          <VersionTable finding={shown} />
          <Setup finding={shown} n={n} />
        </>
      ) : (
        <ProgramSetup finding={shown} n={n} />
      )}
    </>
  );
}

/**
 * Shows a finding of which only the anomaly is kept. `like` numbers a finding of its family that the report shows in
 * full.
 */
export function LineBody({ finding, like }: { readonly finding: ListedFinding; readonly like: number | undefined }): VNode {
  const shown = { ...finding, statements: [] };
  const lit = lights(shown);
  return (
    <>
      <Command text={finding.replay} label="Command that runs this round again" />
      <p class="explanation">{finding.anomaly.explanation}</p>
      <VendorPromise finding={finding} />
      <p class="quiet">
        The documents allow it, and its statements are in the run’s history alone.
        {like !== undefined && (
          <>
            {' '}
            One of its family is told in full: <a href={`#finding-${like}`}>finding {like}</a>.
          </>
        )}
      </p>
      <section class="graph" aria-label="Cycle">
        <CycleGraph finding={shown} lit={lit} />
        <EdgeList finding={shown} lit={lit} />
      </section>
      <AnomalyFacts finding={finding} />
    </>
  );
}

function VendorPromise({ finding }: { readonly finding: ListedFinding | Finding }): VNode {
  const { verdict, row } = finding.judgement;
  return (
    <blockquote class={`promise ${verdict}`}>
      <p>{promiseSentence(finding)}</p>
      {row !== undefined && (
        <cite>
          <Linked source={sourceWords(row)} />
        </cite>
      )}
    </blockquote>
  );
}

/** Shows the https address in a source as a link. Nothing is loaded until a reader follows it. */
function Linked({ source }: { readonly source: string }): VNode {
  const found = /https:\/\/[^\s"'<>`)]+/.exec(source);
  if (found === null) return <>{source}</>;
  return (
    <>
      {source.slice(0, found.index)}
      <a href={found[0]} rel="noreferrer noopener">
        {found[0]}
      </a>
      {source.slice(found.index + found[0].length)}
    </>
  );
}

function Drawn({
  n,
  finding: { reproduction, round },
}: {
  readonly n: number | undefined;
  readonly finding: AnomalyFinding;
}): VNode | null {
  if (reproduction === undefined || n === undefined) return null;
  return (
    <p class="quiet">
      Drawn is the {reproduction.reduction === undefined ? 'replayed' : 'reduced'} case as it was replayed. What was found in round {round}{' '}
      is in {findingFile(n)}.
    </p>
  );
}

function AnomalyFacts({ finding: { anomaly, round, id } }: { readonly finding: ListedFinding }): VNode {
  return (
    <FactsOfAll
      before={[['violates', anomaly.levels.join(', ')]]}
      is={<TermNames shapes={anomaly.shapes} of={anomaly.class} />}
      foundIn={`round ${round}, id ${clip(id, 80)}`}
      fingerprint={anomaly.fingerprint}
    />
  );
}

function ProgramFacts({ finding }: { readonly finding: ProgramFinding }): VNode {
  const { named, oneOf, breach, programs } = finding.family;
  return (
    <FactsOfAll
      is={named === undefined ? (breach ?? `one of ${oneOf.join(', ')}`) : <TermNames shapes={named.shapes} of={named.class} />}
      foundIn={`${counted(programs, 'small program')}, id ${clip(finding.id, 80)}`}
      fingerprint={finding.fingerprint}
    />
  );
}

interface FactsProps {
  readonly before?: readonly (readonly [name: string, value: string])[];
  readonly is: ComponentChildren;
  readonly foundIn: string;
  readonly fingerprint: string;
}

function FactsOfAll({ before = [], is, foundIn, fingerprint }: FactsProps): VNode {
  return <Facts of={[...before, ['is a', is], ['found in', foundIn], [<Term word="fingerprint" />, <code>{fingerprint}</code>]]} />;
}

interface SetupProps {
  readonly finding: Pick<AnomalyFinding, 'setup' | 'uninstrumented'>;
  readonly n: number | undefined;
}

function Setup({ finding: { setup, uninstrumented }, n }: SetupProps): VNode {
  const sql = setup.join('\n');
  return (
    <details class="more file">
      <summary>Setup SQL, as sent{uninstrumented !== true && ' (with the auxiliary columns)'}</summary>
      <CopyButton />
      <pre tabIndex={0}>
        <code>{clip(sql, SHOWN_SETUP)}</code>
      </pre>
      {sql.length > SHOWN_SETUP && <p class="quiet">{n === undefined ? 'Cut.' : `Cut; ${findingFile(n)} has all of it.`}</p>}
    </details>
  );
}

/**
 * A stored case is drawn with its reproduction, because its steps are what was sent. Only an older tool kept no case.
 */
function ProgramSetup({ finding, n }: { readonly finding: ProgramFinding; readonly n: number | undefined }): VNode {
  const { plain, lines, raced } = finding.family.example;
  return (
    <>
      {!hasCase(finding) && <ExploredLanes lines={lines} raced={raced} />}
      {plain && <Setup finding={{ setup: plain.setup, uninstrumented: true }} n={n} />}
    </>
  );
}
