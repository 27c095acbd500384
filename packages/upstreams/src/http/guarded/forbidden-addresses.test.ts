import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FORBIDDEN_RESPONSES, FORBIDDEN_HOSTS, FORBIDDEN_URLS } from '../../../test/forbidden-addresses.ts';
import { type LocalServer, startServer } from '../../../test/local-server.ts';
import { createDownload } from './download.ts';
import { DownloadError } from './download-error.ts';
import { createGuardedPost } from './guarded-post.ts';
import type { ResolveAddresses } from './resolve-addresses.ts';

/** An internal server that must never be reached. */
let internal: LocalServer;
/** A public server that redirects each request to the URL in the request's path. */
let redirecting: LocalServer;
beforeAll(async () => {
  internal = await startServer((_request, response) => response.end('secret'));
  redirecting = await startServer((request, response) => {
    response.writeHead(302, { location: decodeURIComponent(request.url?.slice(1) ?? '') }).end();
  });
});
afterAll(async () => {
  await internal[Symbol.asyncDispose]();
  await redirecting[Symbol.asyncDispose]();
});
afterEach(() => {
  expect(internal.connections()).toBe(0);
});

const signal = new AbortController().signal;

/** All functions that fetch a URL of a client or an upstream. Each returns how the fetch ended. */
const WAYS: Readonly<Record<string, (url: string, resolve?: ResolveAddresses) => Promise<string>>> = {
  async download(url, resolve) {
    const downloader = createDownload({
      allowOrigins: [redirecting.origin],
      maxBytes: 1_000,
      idleMs: 10_000,
      connectMs: 5_000,
      ...(resolve && { resolve }),
    });
    try {
      await downloader.download(url, { signal });
      return 'fetched';
    } catch (error) {
      return error instanceof DownloadError ? error.failure : String(error);
    } finally {
      await downloader.close();
    }
  },
  async post(url, resolve) {
    const poster = createGuardedPost({ allowOrigins: [], timeoutMs: 10_000, ...(resolve && { resolve }) });
    const outcome = await poster.post(url.replace(/^http:/, 'https:'), { headers: {}, body: '{}', signal });
    await poster.close();
    return 'failure' in outcome ? outcome.failure : `status ${outcome.status}`;
  },
};
const names = Object.keys(WAYS);
const go = (way: string, url: string, resolve?: ResolveAddresses) => WAYS[way]?.(url, resolve);
const portOf = ({ origin }: LocalServer) => new URL(origin).port;

describe.each(names)(`${FORBIDDEN_HOSTS.length} forms of non-public addresses: by %s`, (way) => {
  it.each(FORBIDDEN_HOSTS)('never connects to %s', async (host) => {
    expect(await go(way, `http://${host}:${portOf(internal)}/`)).toBe('forbidden_address');
  });
});

describe.each(names)('names that resolve to non-public addresses: by %s', (way) => {
  it.each(FORBIDDEN_RESPONSES)('never connects to $address', async (reply) => {
    const url = `http://public.example:${portOf(internal)}/`;
    expect(await go(way, url, (_host, done) => done(null, [reply]))).toBe('forbidden_address');
  });

  it('connects to the address it checked, without a second lookup', async () => {
    let lookups = 0;
    const rebinding: ResolveAddresses = (_host, done) => {
      lookups += 1;
      done(null, lookups === 1 ? [{ address: '127.0.0.1', family: 4 }] : [{ address: '8.8.8.8', family: 4 }]);
    };
    expect(await go(way, `http://rebinding.example:${portOf(internal)}/`, rebinding)).toBe('forbidden_address');
    expect(lookups).toBe(1);
  });
});

describe.each(names)('URLs that are not plain HTTP or HTTPS: by %s', (way) => {
  it.each(FORBIDDEN_URLS)('refuses %j', async (url) => {
    expect(await go(way, url)).toBe('invalid_url');
  });
});

describe('redirects from an allowed origin', () => {
  // Excludes other hosts, because headers accept only printable ASCII.
  it.each(FORBIDDEN_HOSTS.filter((host) => /^[ -~]+$/.test(host)))('does not follow one to %s', async (host) => {
    const target = encodeURIComponent(`http://${host}:${portOf(internal)}/`);
    expect(await go('download', `${redirecting.origin}/${target}`)).toBe('forbidden_address');
  });

  it.each(FORBIDDEN_URLS.filter((url) => /^[a-z]+:/.test(url)))('does not follow one to %j', async (url) => {
    expect(await go('download', `${redirecting.origin}/${encodeURIComponent(url)}`)).toBe('invalid_url');
  });

  it('does not follow one to another port of the same host', async () => {
    const target = encodeURIComponent(`${internal.origin}/`);
    expect(await go('download', `${redirecting.origin}/${target}`)).toBe('forbidden_address');
  });
});
