/**
 * Sends requests to the server of this page. Each request goes below the token, which is the folder of the page's
 * address.
 */

export async function ask<T>(path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`./${path}`, {
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    });
  } catch {
    throw new Error('anomalist ui does not answer: has it been ended?');
  }
  const told = (await response.json()) as T & { readonly error?: string };
  if (!response.ok) throw new Error(told.error ?? response.statusText);
  return told;
}
