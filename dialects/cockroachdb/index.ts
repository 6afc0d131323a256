export { cockroachdb } from './dialect.ts';
