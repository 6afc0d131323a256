/** The door of the library: `import { check, explore, replay, run } from 'anomalist'` (docs/API.md). */
export * from './api/index.ts';
