/** Words of the page beside those of the reports. */
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

/** Of a run without a report. */
export const STATE: Readonly<Record<RunState, { readonly word: string; readonly look: string }>> = {
  running: { word: 'RUNNING', look: 'running' },
  lost: { word: 'NO REPORT', look: 'gone' },
  finished: { word: 'FINISHED', look: 'gone' },
};

/** `1 min 05 s`. */
export function timeWords(seconds: number): string {
  const whole = Math.floor(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** The id of a run begins with the time, in UTC: `20261124-184628-s5`. */
export function whenOf(id: string): string {
  const parts = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)(\d\d)-/.exec(id);
  if (parts === null) return id;
  const [, year, month, day, hour, minute, second] = parts;
  const when = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return when.toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

/** `24 Nov, 21:50`, of this year; of another one with it. */
export function momentOf(iso: string): string {
  const when = new Date(iso);
  const year = when.getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const);
  return when.toLocaleString('en-GB', { day: 'numeric', month: 'short', ...year, hour: '2-digit', minute: '2-digit' });
}
