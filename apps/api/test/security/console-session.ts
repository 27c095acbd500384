import type { ApiRig } from '../api-rig.ts';

/** A signed-in browser. */
export interface ConsoleClient {
  cookie: string;
  csrfToken: string;
  id: string;
  /** Calls a path as the console's pages do. `init.headers` replace the browser's. */
  call(at: string, init?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Response>;
}

/** Signs in. @throws if the key is refused */
export async function signIn(rig: Pick<ApiRig, 'origin'>, key: string, role?: string): Promise<ConsoleClient> {
  const response = await fetch(`${rig.origin}/console/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'user-agent': 'test browser' },
    body: JSON.stringify({ key, ...(role !== undefined && { role }) }),
  });
  if (response.status !== 201) throw new Error(await response.text());
  const [cookie = ''] = (response.headers.get('set-cookie') ?? '').split(';', 1);
  // The cast is safe because the status is 201.
  const { csrf_token: csrfToken, id } = (await response.json()) as { csrf_token: string; id: string };
  return {
    cookie,
    csrfToken,
    id,
    call: (at, { method = 'GET', body, headers = {} } = {}) =>
      fetch(rig.origin + at, {
        method,
        headers: {
          cookie,
          'sec-fetch-site': 'same-origin',
          ...(method !== 'GET' && { 'x-csrf-token': csrfToken }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
}
