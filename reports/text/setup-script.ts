/**
 * A finding's setup, statement by statement, with the kind of object that each makes. A reproduction file runs it and
 * drops the objects again.
 */
import type { Setup, SetupStatement } from '../../core/index.ts';
import { scriptBefore } from './before-setup-makes.ts';

/** Returns the case's own statements, without the namespace and our mark, and without terminators. */
export function caseSetup({ setup, setupMakes }: Setup): readonly SetupStatement[] {
  const script =
    setupMakes === undefined
      ? scriptBefore(setup)
      : setupMakes.flatMap((each, i) => (setup[i] === undefined ? [] : [{ sql: setup[i], ...each }]));
  return script.filter(({ makes }) => makes !== 'namespace' && makes !== 'mark');
}

/** Drops in reverse order, but functions last, since triggers call them. */
export function dropStatements(script: readonly SetupStatement[]): readonly string[] {
  const functions = script.flatMap(({ makes, name }) => (makes === 'routine' && name !== undefined ? [`DROP FUNCTION ${name}`] : []));
  const others = script
    .flatMap(({ makes, name }) =>
      name !== undefined && (makes === 'table' || makes === 'view') ? [`DROP ${makes.toUpperCase()} ${name}`] : [],
    )
    .reverse();
  return [...others, ...functions.reverse()];
}
