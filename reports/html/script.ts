/**
 * The page's only script: its parts in one function, none of which knows what a table or a value is called. SCRIPT_HASH is
 * the policy's permission for exactly this text.
 */
import { createHash } from 'node:crypto';
import { FILTER } from './script/filter.ts';
import { GLOSS } from './script/gloss.ts';
import { LIGHT } from './script/light.ts';
import { COPY } from './script/copy.ts';
import { UNFOLD } from './script/unfold.ts';

/** No text of it goes over several lines: the space before a line is for those who read it here. */
export const SCRIPT: string = `(function () {
'use strict';
${[UNFOLD, LIGHT, GLOSS, COPY, FILTER].join('').replace(/^ +/gm, '')}})();
`;

export const SCRIPT_HASH: string = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;

/** The parts that the local page has too: they light up, explain and copy, in all that is shown from now on. */
export const PART_SCRIPT: string = `(function () {
'use strict';
${[LIGHT, GLOSS, COPY].join('').replace(/^ +/gm, '')}})();
`;
