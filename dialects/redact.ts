/**
 * Keeps passwords out of messages and records. Works on text, not on parsed URLs: a URL that cannot be parsed (an
 * unescaped # or / in the password) is the likeliest one to end up in a message.
 */

/** Greedy up to the last @: a password may hold @, : and / unescaped. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/[^:@/?]*):(.*)@/i;
/** `scheme://user:secret` with the host forgotten: what follows the colon is no port. */
const FORGOTTEN_HOST = /^([a-z][a-z0-9+.-]*:\/\/[^:@/?[\]]+):(?!\d{1,5}(?:[/?,#]|$))[^@]+$/i;
const SECRET_PARAMETER = /([?&](?:password|sslpassword|passfile)=)[^&#]*/gi;

export function redact(url: string): string {
  const withoutParameters = url.replace(SECRET_PARAMETER, '$1***');
  if (USER_INFO.test(withoutParameters)) return withoutParameters.replace(USER_INFO, '$1:***@');
  return withoutParameters.replace(FORGOTTEN_HOST, '$1:***');
}

/** The same for a sentence that may quote a URL, and for a known URL's password wherever it stands. */
export function scrub(message: string, url?: string): string {
  let clean = message.replace(/[a-z][a-z0-9+.-]*:\/\/[^\s'"`]+/gi, redact);
  for (const secret of url === undefined ? [] : secrets(url)) clean = clean.replaceAll(secret, '***');
  return clean;
}

function secrets(url: string): readonly string[] {
  const raw = [USER_INFO.exec(url)?.[2], /[?&]password=([^&#]*)/i.exec(url)?.[1]];
  const found = raw.filter((secret) => secret !== undefined && secret !== '') as string[];
  // Shorter than this, the replacement would garble ordinary words; such a word tells nothing either.
  return [...found, ...found.map(decoded)].filter((secret) => secret.length >= 4);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
