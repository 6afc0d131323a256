/** Holds words of the page that the reports do not have. */
import type { RunState, StandingKind } from './messages.ts';

export const STANDING: Readonly<Record<StandingKind, string>> = {
  bug: 'BUG',
  inconclusive: 'INCONCLUSIVE',
  known: 'KNOWN BUG',
  undocumented: 'UNDOCUMENTED',
  yours: 'YOURS',
  documented: 'NO BUG SEEN',
  clean: 'NOTHING SEEN',
};

/** Describes the state of a run that has no report. */
export const STATE: Readonly<Record<RunState, { readonly word: string; readonly look: string }>> = {
  running: { word: 'RUNNING', look: 'running' },
  lost: { word: 'NO REPORT', look: 'gone' },
  finished: { word: 'FINISHED', look: 'gone' },
};

/** Returns `1 min 05 s`. */
export function timeWords(seconds: number): string {
  const whole = Math.floor(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** Reads the time in UTC at the beginning of a run's id, such as `20261124-184628-s5`. */
export function whenOf(id: string): string {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(id);
  if (parts === null) return id;
  const [, year, month, day, hour, minute, second] = parts;
  const when = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return when.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** Returns `24 Nov, 21:50`. The year is added if it is not the present one. */
export function momentOf(iso: string): string {
  const when = new Date(iso);
  const year = when.getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const);
  return when.toLocaleString('en-GB', { day: 'numeric', month: 'short', ...year, hour: '2-digit', minute: '2-digit' });
}
