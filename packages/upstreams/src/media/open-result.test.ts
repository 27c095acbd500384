import type { ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ContentOutcome, ReturnedOutput } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { deadOrigin, startServer } from '../../test/local-server.ts';
import { mediaContext } from '../../test/media-context.ts';
import { mediaJob } from '../../test/media-rig.ts';
import { NEVER } from '../../test/videos-rig.ts';
import { UpstreamError } from '../http/upstream-error.ts';
import { openResult } from './open-result.ts';

type Responses = Record<string, (response: ServerResponse) => unknown>;

const file = (response: ServerResponse): unknown =>
  response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': 4 }).end('clip');
const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(code, headers).end();

/** Opens `/first` at a vendor whose polls return a different URL. */
async function opened(
  responses: Responses,
  renew: (origin: string) => Promise<ReturnedOutput | 'gone' | undefined>,
  first = true,
) {
  await using server = await startServer((request, response) => responses[request.url ?? '']?.(response));
  await using context = mediaContext([server.origin]);
  let renewals = 0;
  const outcome = await openResult(
    context,
    mediaJob(server.origin),
    first ? { url: `${server.origin}/first` } : {},
    {
      renew: () => {
        renewals += 1;
        return renew(server.origin);
      },
    },
    NEVER,
  );
  return { outcome, renewals, read: await read(outcome), requested: server.requests.map(({ url }) => url) };
}

async function read(outcome: ContentOutcome): Promise<string | undefined> {
  return outcome.kind === 'opened' ? (await buffer(outcome.body)).toString() : undefined;
}

const nowhere = () => Promise.resolve(undefined);
const removed = () => Promise.resolve('gone' as const);
const same = (origin: string) => Promise.resolve({ url: `${origin}/first` });
const unreachable = () => Promise.reject(new UpstreamError('timeout', 'maybe'));
const credential = () => ({ authorization: 'Bearer key-1' });
const second = (origin: string) => Promise.resolve({ url: `${origin}/second` });

describe('file', () => {
  it('is expired if the vendor deleted it', async () => {
    const { outcome } = await opened({ '/first': status(404) }, removed);
    expect(outcome).toMatchObject({ kind: 'expired' });
  });

  it('is opened at its URL', async () => {
    const { outcome, read: text, renewals } = await opened({ '/first': file }, nowhere);
    expect(outcome).toMatchObject({ kind: 'opened', bytes: 4 });
    expect([text, renewals]).toEqual(['clip', 0]);
  });

  it.each([401, 403, 404, 410])('is requested again after HTTP %i', async (code) => {
    const { read: text, requested } = await opened({ '/first': status(code), '/second': file }, second);
    expect([text, requested]).toEqual(['clip', ['/first', '/second']]);
  });

  it('is requested if no URL was returned', async () => {
    expect((await opened({ '/second': file }, second, false)).read).toBe('clip');
  });

  it('may be inline in the response that was to return its URL', async () => {
    const bytes = Buffer.from('inline');
    expect((await opened({}, () => Promise.resolve({ bytes }), false)).read).toBe('inline');
  });
});

describe('file refused twice', () => {
  it.each([
    [403, 'denied'],
    [404, 'denied'],
    [410, 'expired'],
  ])('with HTTP %i is %s', async (code, kind) => {
    const twice = { '/first': status(403), '/second': status(code) };
    expect((await opened(twice, second)).outcome).toMatchObject({ kind });
  });

  it('is not fetched again from the same URL', async () => {
    const { outcome, requested } = await opened({ '/first': status(410) }, same);
    expect([outcome.kind, requested]).toEqual(['expired', ['/first']]);
  });
});

describe('file at a forbidden address', () => {
  it.each([
    ['no public address', (inside: string) => `${inside}/secret-path`],
    ['no web address', () => 'file:///secret-path'],
    ['an address with a password', () => 'https://user:password@files.example/secret-path'],
  ])('%s: is denied without a connection', async (_what, where) => {
    await using inside = await startServer((_request, response) => file(response));
    await using context = mediaContext([]);
    const output = { url: where(inside.origin) };
    const outcome = await openResult(context, mediaJob(inside.origin), output, { renew: nowhere }, NEVER);
    expect(outcome).toMatchObject({ kind: 'denied', code: 'provider_error' });
    expect(inside.connections()).toBe(0);
    expect(JSON.stringify(outcome) + context.logged()).not.toMatch(/secret-path|password@|127\.0\.0\.1/);
  });

  it('is denied after a redirect loop', async () => {
    const { outcome } = await opened({ '/first': status(302, { location: '/first' }) }, nowhere);
    expect(outcome).toMatchObject({ kind: 'denied', code: 'provider_error' });
  });
});

describe('unclear', () => {
  it('if the vendor returns no URL', async () => {
    expect((await opened({ '/first': status(403) }, nowhere)).outcome).toMatchObject({ kind: 'unclear' });
    expect((await opened({}, nowhere, false)).outcome).toMatchObject({ kind: 'unclear' });
  });

  it.each(['application/json', 'text/html; charset=utf-8', 'application/xml'])('if the file is %s', async (type) => {
    const { outcome } = await opened({ '/first': status(200, { 'content-type': type }) }, nowhere);
    expect(outcome).toMatchObject({ kind: 'unclear' });
  });

  it('if the server fails, with its retry delay', async () => {
    const { outcome, renewals } = await opened({ '/first': status(503, { 'retry-after': '7' }) }, second);
    expect(outcome).toMatchObject({ kind: 'unclear', retryAfterMs: 7000 });
    expect(renewals).toBe(0);
  });

  it('without a response', async () => {
    const origin = await deadOrigin();
    await using context = mediaContext([origin]);
    const output = { url: `${origin}/secret-path` };
    const outcome = await openResult(context, mediaJob(origin), output, { renew: nowhere }, NEVER);
    expect(outcome).toMatchObject({ kind: 'unclear' });
    expect(context.logged()).toContain('content could not be opened');
    expect(JSON.stringify(outcome) + context.logged()).not.toContain('secret-path');
  });

  it('if the vendor cannot be polled again', async () => {
    expect((await opened({ '/first': status(403) }, unreachable)).outcome).toMatchObject({ kind: 'unclear' });
  });
});

it('refuses a file whose declared length exceeds the limit', async () => {
  const large = status(200, { 'content-type': 'video/mp4', 'content-length': '100000' });
  expect((await opened({ '/first': large }, nowhere)).outcome).toMatchObject({
    kind: 'refused',
    code: 'provider_error',
  });
});

it('sends the credential only to the origin that accepted the job', async () => {
  await using home = await startServer((_request, response) => file(response));
  await using other = await startServer((_request, response) => file(response));
  await using context = mediaContext([home.origin, other.origin]);
  for (const { origin } of [home, other]) {
    const access = { credential, renew: nowhere };
    await read(await openResult(context, mediaJob(home.origin), { url: `${origin}/v.mp4` }, access, NEVER));
  }
  expect(home.requests[0]?.headers.authorization).toBe('Bearer key-1');
  expect(other.requests[0]?.headers.authorization).toBeUndefined();
});
