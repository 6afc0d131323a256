/**
 * Keeps passwords out of messages and records. It works on text and not on parsed URLs, because a URL that cannot be
 * parsed is the likeliest one in a message. It may have an unescaped # or / in the password, no scheme, or another
 * program's form. If the password's position is not certain, too much is hidden.
 */

const SCHEME = /^(?:(?:jdbc|r2dbc):)?[a-z][a-z0-9+.-]*:\/\//i;
/**
 * User and password, behind the scheme if there is one. They reach from the first colon to the last @, since both may
 * hold unescaped @, / and ?. Colons of an IPv6 host, of a port before `?name=` and of a parameter's value do not count.
 */
const USER_INFO = /^((?:\[[0-9a-f:.]+\]|(?!\[[0-9a-f:.]+\])[^:?])*(?:\?[^:=]*)?):(?!\d{1,5}(?:\/[^@/?]*)?\?\w+=)(.*)@/is;
/** `user:secret` without the host, where the text after the colon is no port. */
const FORGOTTEN_HOST = /^([^:@/?[\]\s=]+):(?!\d{1,5}(?:[/?,#)]|$))[^@]+$/;
const SECRET_PARAMETER = /([?&](?:password|sslpassword|passfile)=)[^&]*/gi;
/** A setting as in `host=h user=u password=secret`. */
const SECRET_SETTING = /(?<![?&])\b((?:(?:pg|ssl)?password|passfile|pwd)\s*=\s*)(?:'(?:[^'\\]|\\.)*'|\S+)/gi;

export function redact(url: string): string {
  const scheme = schemeOf(url);
  const rest = url.slice(scheme.length);
  const known = rest.includes('@') ? rest.replace(USER_INFO, '$1:***@') : rest.replace(FORGOTTEN_HOST, '$1:***');
  return `${scheme}${known}`.replace(SECRET_PARAMETER, '$1***').replace(SECRET_SETTING, '$1***');
}

/** Redacts URLs in a sentence, and a known URL's password wherever it stands. */
export function scrub(message: string, url?: string): string {
  let clean = message.replace(/[a-z][a-z0-9+.-]*:\/\/[^\s'"`]+/gi, redact);
  for (const secret of url === undefined ? [] : secrets(url)) clean = clean.replaceAll(secret, '***');
  return clean;
}

function schemeOf(url: string): string {
  return SCHEME.exec(url)?.[0] ?? '';
}

function secrets(url: string): readonly string[] {
  const raw = [USER_INFO.exec(url.slice(schemeOf(url).length))?.[2], /[?&]password=([^&]*)/i.exec(url)?.[1]];
  const found = raw.filter((secret) => secret !== undefined && secret !== '') as string[];
  // Replacing a shorter secret would garble ordinary words. So short a secret reveals nothing either.
  return [...found, ...found.map(decoded)].filter((secret) => secret.length >= 4);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
