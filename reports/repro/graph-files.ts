/**
 * Writes a finding's cycle as graph files: graph.gexf for Gephi and similar programs, graph.dot for Graphviz, graph.svg
 * for a ticket. graphology holds the graph and writes the GEXF. The drawing is the page's own, with its colours included.
 */
import { MultiDirectedGraph } from 'graphology';
import gexf from 'graphology-gexf';
import type { CycleStep, AnomalyFinding } from '../../core/index.ts';
import { drawing } from '../html/drawing.tsx';
import { oneLine } from '../text/visible.ts';
import { anomalyName, stepRow } from '../text/words.ts';

/** Nodes are transactions, edges are dependencies. Each edge has its row, its statements and its derivation. */
export function dependencyGraph(finding: AnomalyFinding): MultiDirectedGraph {
  const { anomaly, transactions } = finding;
  const graph = new MultiDirectedGraph();
  graph.replaceAttributes({ title: anomalyName(anomaly) });
  for (const id of new Set(anomaly.cycle.flatMap(({ from, to }) => [from, to]))) {
    const txn = transactions.find((each) => each.id === id);
    graph.addNode(`T${id}`, {
      label: id === 0 ? 'initial state' : `T${id}`,
      session: txn === undefined ? '' : `s${txn.session + 1}`,
      outcome: txn?.outcome ?? 'committed',
    });
  }
  for (const [i, step] of anomaly.cycle.entries()) {
    graph.addDirectedEdgeWithKey(`e${i + 1}`, `T${step.from}`, `T${step.to}`, {
      label: step.rel,
      row: oneLine(stepRow(step) ?? ''),
      read: step.readPoint ?? '',
      derivation: oneLine(step.explanation),
      fromStatement: statementOf(finding, step.fromStatement),
      toStatement: statementOf(finding, step.toStatement),
    });
  }
  return graph;
}

export function gexfText(finding: AnomalyFinding): string {
  return `${gexf.write(dependencyGraph(finding), {
    formatNode: (_: string, { label, ...attributes }: Record<string, string>) => ({ label: label ?? '', attributes }),
    formatEdge: (_: string, { label, ...attributes }: Record<string, string>) => ({ label: label ?? '', attributes }),
  })}\n`;
}

export function dotText(finding: AnomalyFinding): string {
  const graph = dependencyGraph(finding);
  const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`)}"`;
  return `${[
    'digraph anomaly {',
    `  label=${quoted(oneLine(String(graph.getAttribute('title'))))}; rankdir=LR; node [shape=circle]; edge [fontsize=10];`,
    ...graph.mapNodes(
      (node, { label, session, outcome }) =>
        `  ${quoted(node)} [label=${quoted(`${String(label)}\n${String(session)} ${String(outcome)}`).replaceAll('\n', String.raw`\n`)}];`,
    ),
    ...graph.mapEdges(
      (_, { label, row, derivation }, source, target) =>
        `  ${quoted(source)} -> ${quoted(target)} [label=${quoted(`${String(label)} ${String(row)}`)}, tooltip=${quoted(String(derivation))}${STYLES[String(label)] ?? ''}];`,
    ),
    '}',
  ].join('\n')}\n`;
}

const STYLES: Readonly<Record<string, string>> = {
  rw: ', style=dashed',
  rwp: ', style=dashed',
  so: ', style=dotted',
  rt: ', style=dotted',
  ww: ', penwidth=2',
};

export function svgText(finding: AnomalyFinding): string {
  const drawn = drawing(finding);
  if (!drawn.startsWith('<svg'))
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 40"><text x="10" y="25" font-family="sans-serif">No drawing: see the edges in finding.json.</text></svg>\n';
  return `${drawn.replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ').replace('>', `><style>${SVG_STYLE}</style><rect width="100%" height="100%" fill="#fff"/>`)}\n`;
}

const SVG_STYLE =
  'text{font:600 13px sans-serif;text-anchor:middle;fill:#1b1d22}.sub{font-size:11px;font-weight:400;fill:#555c68}.node circle{fill:#fff;stroke:#2257c4;stroke-width:2.5}.line{fill:none;stroke:#555c68;stroke-width:2}.reach{fill:none}.edge polygon{fill:#555c68}.edge rect{fill:#fff;stroke:#555c68}.rw .line,.rwp .line{stroke-dasharray:7 4}.so .line,.rt .line{stroke-dasharray:2 4}.ww .line{stroke-width:3}';

function statementOf({ statements }: AnomalyFinding, index: CycleStep['fromStatement']): string {
  const statement = statements.find((each) => each.index === index);
  return statement === undefined ? '' : oneLine(`T${statement.txn} statement ${statement.number}: ${statement.sql}`);
}
