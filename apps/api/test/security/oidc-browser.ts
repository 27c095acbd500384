import type { ApiRig } from '../api-rig.ts';

/** The cookies of a browser, by site and name. */
class CookieJar {
  readonly #cookies = new Map<string, Map<string, string>>();

  header(site: string): string {
    return [...(this.#cookies.get(site) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  store(site: string, response: Response): void {
    const cookies = this.#cookies.get(site) ?? new Map<string, string>();
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    this.#cookies.set(site, cookies);
  }

  get(site: string, name: string): string | undefined {
    return this.#cookies.get(site)?.get(name);
  }
}

export interface OidcBrowser {
  /**
   * Starts a sign-in at the gateway.
   * @param to the page of the console that the user opened
   * @returns the provider's address, or where the gateway redirects to
   */
  begin(to?: string): Promise<URL>;
  /** Signs in at the provider. @returns the address of the callback with its code */
  signInAt(provider: URL, user: string): Promise<URL>;
  /** Opens a callback at the gateway. */
  finish(callback: URL): Promise<Response>;
  /** Starts, signs in, and finishes. */
  signIn(user: string): Promise<Response>;
  /** Calls a path of the gateway as the console's pages do. */
  call(at: string, init?: { method?: string; body?: unknown }): Promise<Response>;
  /** The value of a gateway's cookie. */
  cookie(name: string): string | undefined;
}

/**
 * Follows the redirects of a sign-in. The gateway's public URL differs from its origin, as behind a proxy.
 * @param publicUrl its path is a prefix that a proxy would remove
 */
export function oidcBrowser({ origin }: Pick<ApiRig, 'origin'>, publicUrl: string): OidcBrowser {
  const jar = new CookieJar();
  const base = `${publicUrl}/console/api/oidc`;
  /** Sends a request without following its redirect. */
  const send = async (url: URL, init: RequestInit = {}): Promise<Response> => {
    const isGateway = url.href.startsWith(publicUrl);
    const site = isGateway ? 'gateway' : url.host;
    const target = isGateway ? url.href.replace(publicUrl, origin) : url.href;
    const headers = { ...(init.headers as Record<string, string>), cookie: jar.header(site) }; // No caller passes others.
    const response = await fetch(target, { ...init, headers, redirect: 'manual' });
    jar.store(site, response);
    return response;
  };
  const browser: OidcBrowser = {
    async begin(to) {
      const query = to === undefined ? '' : `?${new URLSearchParams({ to }).toString()}`;
      const response = await send(new URL(base + query));
      return new URL(response.headers.get('location') ?? '', base);
    },
    async signInAt(provider, user) {
      let url = provider;
      for (let hops = 0; hops < 10; hops += 1) {
        if (url.href.startsWith(publicUrl)) return url;
        const isForm = url.pathname.startsWith('/interaction/');
        const form = { method: 'POST', body: new URLSearchParams({ user }) };
        const response = await send(url, isForm ? form : {});
        const location = response.headers.get('location');
        if (location === null) throw new Error(`${response.status} ${url.href}: ${await response.text()}`);
        url = new URL(location, url);
      }
      throw new Error('too many redirects');
    },
    finish: (callback) => send(callback),
    signIn: async (user) => browser.finish(await browser.signInAt(await browser.begin(), user)),
    async call(at, { method = 'GET', body } = {}) {
      const headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' };
      if (method !== 'GET') {
        const session = await (await browser.call('/console/api/session')).json();
        headers['x-csrf-token'] = (session as { csrf_token: string }).csrf_token; // The response is a session.
      }
      if (body !== undefined) headers['content-type'] = 'application/json';
      return send(new URL(publicUrl + at), {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    },
    cookie: (name) => jar.get('gateway', name),
  };
  return browser;
}
