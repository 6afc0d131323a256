/** Defines a route of a part of the page. It has a method, a path below the token, and an answer. */

export interface UiRequest {
  /** Holds the values for each `:name` in the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Holds the JSON of a POST. */
  readonly body: unknown;
}

/** `policy` replaces the content security policy of the page. */
export type Answer =
  | { readonly json: unknown; readonly status?: number }
  | { readonly content: string | Uint8Array; readonly type: string; readonly policy?: string; readonly saveAs?: string }
  | { readonly events: EventSender };

export const NOT_FOUND: Answer = { json: { error: 'there is nothing of that name' }, status: 404 };

/** Sends until the reader is gone. The signal is then aborted. */
export type EventSender = (send: (name: string, data: unknown) => void, gone: AbortSignal) => void | Promise<void>;

export interface Route {
  readonly method: 'GET' | 'POST';
  /** The path looks like `/api/runs/:id`. */
  readonly path: string;
  readonly answer: (request: UiRequest) => Answer | Promise<Answer>;
}

/** Returns the route for a method and the parts of a path, with its parameters. */
export function findRoute(
  routes: readonly Route[],
  method: string,
  path: readonly string[],
): { readonly route: Route; readonly params: Readonly<Record<string, string>> } | 'no such path' | 'no such method' {
  const there = routes.flatMap((route) => {
    const params = match(route.path.slice(1).split('/'), path);
    return params === undefined ? [] : [{ route, params }];
  });
  if (there.length === 0) return 'no such path';
  return there.find(({ route }) => route.method === method) ?? 'no such method';
}

function match(pattern: readonly string[], path: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== path.length) return undefined;
  const params: Record<string, string> = {};
  for (const [i, word] of pattern.entries()) {
    const part = path[i]!;
    if (word.startsWith(':')) params[word.slice(1)] = part;
    else if (word !== part) return undefined;
  }
  return params;
}
