/** The result of a control's tries that showed nothing, and what a program concludes from it. */
import type { ControlCode, Rate, Control } from '../../core/index.ts';

export interface Otherwise {
  readonly code: Exclude<ControlCode, 'occurs'>;
  readonly outcome: string;
}

export const NOT_SEEN: Otherwise = { code: 'not seen', outcome: 'not seen' };
export const BY_BLOCKING: Otherwise = { code: 'blocking', outcome: 'prevented by blocking' };

export function byError(code: string): Otherwise {
  return { code: 'error', outcome: `prevented by error ${code}` };
}

export function notRun(reason: string | undefined): Otherwise {
  return { code: 'not run', outcome: `not run: ${reason ?? 'no reason given'}` };
}

/** A lost server or session is a failure, from which nothing follows about isolation. */
export function lost(reason: string): Otherwise {
  return { code: 'lost', outcome: `lost: ${reason}` };
}

/** The case fails without any concurrency. */
export function unusable(reason: string): Otherwise {
  return { code: 'unusable', outcome: `unusable: ${reason}` };
}

export function notJudged(reason: string): Otherwise {
  return { code: 'not judged', outcome: `not judged: ${reason}` };
}

/** If one try showed it, it occurs, whatever the later tries gave. */
export function ended(rate: Rate, otherwise: Otherwise): Pick<Control, 'rate' | 'code' | 'outcome'> {
  return { rate, ...(rate.seen > 0 ? { code: 'occurs', outcome: 'occurs' } : otherwise) };
}
