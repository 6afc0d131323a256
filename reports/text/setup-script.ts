/** A finding's setup, statement by statement, with what each makes: what a reproduction file takes and what it drops again. */
import type { Setup, SetupStatement } from '../../core/index.ts';
import { scriptBefore } from './before-setup-makes.ts';

/** What belongs to the case: neither the namespace nor our mark. Statements stand without a terminator. */
export function caseSetup({ setup, setupMakes }: Setup): readonly SetupStatement[] {
  const script =
    setupMakes === undefined
      ? scriptBefore(setup)
      : setupMakes.flatMap((each, i) => (setup[i] === undefined ? [] : [{ sql: setup[i], ...each }]));
  return script.filter(({ makes }) => makes !== 'namespace' && makes !== 'mark');
}

/** Last made, first dropped; but functions last, since triggers call them. */
export function dropStatements(script: readonly SetupStatement[]): readonly string[] {
  const functions = script.flatMap(({ makes, name }) => (makes === 'routine' && name !== undefined ? [`DROP FUNCTION ${name}`] : []));
  const others = script
    .flatMap(({ makes, name }) =>
      name !== undefined && (makes === 'table' || makes === 'view') ? [`DROP ${makes.toUpperCase()} ${name}`] : [],
    )
    .reverse();
  return [...others, ...functions.reverse()];
}
