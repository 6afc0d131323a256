/**
 * Lists the parts of the page, each with its own routes. A new part is registered here, and its view in page/views.ts.
 */
import { assetsPart } from './assets-part.ts';
import { consolePart } from './console-part.ts';
import { campaignsPart } from './campaigns-part.ts';
import { findingsPart } from './findings-part.ts';
import type { MakePart } from './part.ts';
import { replayPart } from './replay-part.ts';
import { runsPart } from './runs-part.ts';
import { startPart } from './start-part.ts';

export const PARTS: readonly MakePart[] = [assetsPart, startPart, runsPart, findingsPart, replayPart, consolePart, campaignsPart];
