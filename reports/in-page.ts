/**
 * Exports the components that the local page also shows, with their words. Nothing here needs Node, because a browser
 * runs it.
 */
export { Badge } from './components/badge.tsx';
export { Card, Figures } from './components/card.tsx';
export { Command } from './components/command.tsx';
export { CycleGraph } from './components/cycle-graph.tsx';
export type { Drawn } from './components/drawn.ts';
export { EdgeWords } from './components/edge-list.tsx';
export { FamilyPart } from './components/family.tsx';
export { FindingBody } from './components/finding-body.tsx';
export { Glossary } from './components/glossary.tsx';
export { lights } from './components/lights.ts';
export { Notes } from './components/notes.tsx';
export { Verdict } from './components/verdict.tsx';
export { showTexts } from './components/visible-texts.ts';
export { VERDICTS } from './run/figures.ts';
export { counted, grouped } from './text/words.ts';
