/** @jsxRuntime automatic @jsxImportSource preact */
/** Explains the signs of the pictures: the kinds of edge and the looks of a statement's box. */
import type { VNode } from 'preact';
import type { RelName } from '../../core/level/index.ts';
import { Term } from './glossary.tsx';

const EDGES: readonly (readonly [RelName, string])[] = [
  ['ww', 'write, write'],
  ['wr', 'write, read'],
  ['rw', 'read, write'],
  ['wrp', 'write, predicate read'],
  ['rwp', 'predicate read, write'],
  ['so', 'session order'],
  ['rt', 'real time'],
];
const BOXES: readonly (readonly [string, string])[] = [
  ['on t0', 'the anomaly rests on it'],
  ['blocked t0', 'waited for a lock'],
  ['failed t0', 'failed'],
  ['lost t0', 'no reply'],
];

export function Legend(): VNode {
  return (
    <details class="panel legend" id="legend">
      <summary>Legend</summary>
      <ul>
        {EDGES.map(([rel, words]) => (
          <li>
            <svg viewBox="0 0 44 14" class={`edge ${rel}`} aria-hidden="true">
              <path class="line" d="M2 7H34" />
              <polygon points="43,7 33,2.5 33,11.5" />
            </svg>
            <Term word={rel} /> <span>{words}</span>
          </li>
        ))}
      </ul>
      <ul>
        {BOXES.map(([look, words]) => (
          <li>
            <i class={`box ${look}`} aria-hidden="true"></i>
            <span>{words}</span>
          </li>
        ))}
        <li>
          <i class="lit box t0" aria-hidden="true"></i>
          <span>belongs to what the pointer or the focus is on</span>
        </li>
      </ul>
      <p class="quiet">
        A column is a session, a box a statement from its sending to its reply, in observed order; T7 is a transaction, and has one colour
        everywhere. An arrow says who comes first. <a href="#glossary">Glossary</a>
      </p>
    </details>
  );
}
