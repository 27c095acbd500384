import { afterEach, describe, expect, it } from 'vitest';
import { deadOrigin, type Responder, sendJson, startServer } from '../../test/local-server.ts';
import { createDownload, type Downloader } from '../http/guarded/download.ts';
import { canListModels, createModelLister } from './list-vendor-models.ts';

const opened: Downloader[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
});

function lister(allowOrigins: readonly string[]) {
  const downloader = createDownload({ allowOrigins, maxBytes: 100_000, idleMs: 10_000 });
  opened.push(downloader);
  return createModelLister(downloader.download);
}

const { signal } = new AbortController();
const KEY = 'sk-pasted-key';

async function listFrom(kind: string, respond: Responder, path = '') {
  await using server = await startServer(respond);
  const account = { kind, base_url: `${server.origin}${path}`, api_key: KEY };
  const models = await lister([server.origin])(account, signal);
  return { models, request: server.requests[0] };
}

const ids: Responder = (_request, response) => sendJson(response, 200, { data: [{ id: 'b' }, { id: 'a' }] });
const names: Responder = (_request, response) => sendJson(response, 200, { models: [{ name: 'models/b' }, { name: 'a' }] }); // prettier-ignore

describe('listing the models of a vendor', () => {
  it.each([
    ['chat-completions', '/v1', ids, '/v1/models', 'authorization', `Bearer ${KEY}`],
    ['responses', '/v1/?api-version=1', ids, '/v1/models?api-version=1', 'authorization', `Bearer ${KEY}`],
    ['messages', '', ids, '/v1/models?limit=1000', 'x-api-key', KEY],
    ['generative-content', '', names, '/v1beta/models?pageSize=1000', 'x-goog-api-key', KEY],
    ['cohere', '', names, '/v1/models?page_size=1000', 'authorization', `Bearer ${KEY}`],
  ])('of the kind %s calls its list with its header', async (kind, path, respond, url, header, value) => {
    const { models, request } = await listFrom(kind, respond, path);
    expect(models).toEqual(['a', 'b']);
    expect([request?.url, request?.headers[header]]).toEqual([url, value]);
  });

  it.each([400, 401, 403])('reports that the vendor refused the key with %d', async (status) => {
    const refused = listFrom('responses', (_request, response) => sendJson(response, status, { error: KEY }));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', param: 'api_key' });
    await expect(refused).rejects.not.toThrow(KEY);
  });

  it.each([
    ['an error', 500, { data: [] }, 'HTTP 500'],
    ['another response', 200, { models: 'none' }, 'no list'],
  ])('reports %s of the vendor', async (_what, status, body, message) => {
    const failed = listFrom('responses', (_request, response) => sendJson(response, status, body));
    await expect(failed).rejects.toMatchObject({ code: 'provider_error', message: expect.stringContaining(message) });
  });

  it('does not send the key to another origin', async () => {
    await using other = await startServer(ids);
    await using server = await startServer((_request, response) =>
      response.writeHead(302, { location: `${other.origin}/models` }).end(),
    );
    const account = { kind: 'responses', base_url: server.origin, api_key: KEY };
    await lister([server.origin, other.origin])(account, signal);
    expect(other.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('calls only public addresses and configured upstreams', async () => {
    await using server = await startServer(ids);
    const account = { kind: 'responses', base_url: server.origin, api_key: KEY };
    await expect(lister([])(account, signal)).rejects.toMatchObject({ code: 'provider_error' });
    expect(server.connections()).toBe(0);
  });

  it('reports that the vendor cannot be reached', async () => {
    const origin = await deadOrigin();
    const listed = lister([origin])({ kind: 'responses', base_url: origin, api_key: KEY }, signal);
    await expect(listed).rejects.toMatchObject({ message: expect.stringContaining('cannot be reached') });
  });

  it('refuses a kind without a list', async () => {
    expect([canListModels('veo'), canListModels('messages')]).toEqual([false, true]);
    const listed = lister([])({ kind: 'veo', base_url: 'https://vendor.example', api_key: KEY }, signal);
    await expect(listed).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
