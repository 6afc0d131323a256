/** Colours for stdout, if it is a terminal and NO_COLOR is not set. */
import { styleText } from 'node:util';
import type { Paint } from '../../../reports/index.ts';

export const colour: Paint = (style, text) => styleText(style, text, { stream: process.stdout });
