/** @jsxRuntime automatic @jsxImportSource preact */
/** One finding as a part of another page: what report.html shows of it when it is open, and the script that goes with that. */
import type { Finding } from '../../core/index.ts';
import { FindingBody } from '../components/finding-body.tsx';
import { Glossary } from '../components/glossary.tsx';
import { markup } from './render.ts';
import { COPY } from './script/copy.ts';
import { GLOSS } from './script/gloss.ts';
import { LIGHT } from './script/light.ts';

/** Markup; every name and value in it is escaped. */
export function findingPart(n: number, finding: Finding): string {
  return markup(() => (
    <>
      <FindingBody n={n} finding={finding} />
      <Glossary />
    </>
  ));
}

/** Lights up, explains and copies, in all that is shown from now on. */
export const PART_SCRIPT: string = `(function () {
'use strict';
${[LIGHT, GLOSS, COPY].join('').replace(/^ +/gm, '')}})();
`;
