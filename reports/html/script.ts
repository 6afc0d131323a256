/**
 * Joins the parts of the page's only script in one function. No part knows the name of a table or a value. SCRIPT_HASH
 * lets the policy permit exactly this text.
 */
import { createHash } from 'node:crypto';
import { FILTER } from './script/filter.ts';
import { GLOSS } from './script/gloss.ts';
import { LIGHT } from './script/light.ts';
import { COPY } from './script/copy.ts';
import { UNFOLD } from './script/unfold.ts';

/** No text in the script spans several lines, so the indentation can be removed. */
export const SCRIPT: string = `(function () {
'use strict';
${[UNFOLD, LIGHT, GLOSS, COPY, FILTER].join('').replace(/^ +/gm, '')}})();
`;

export const SCRIPT_HASH: string = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;

/**
 * Holds the parts that the local page also runs. They light up, explain and copy, also in content that is shown later.
 */
export const PART_SCRIPT: string = `(function () {
'use strict';
${[LIGHT, GLOSS, COPY].join('').replace(/^ +/gm, '')}})();
`;
