import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/local-server.ts';
import { textCall, textOf, textRig } from '../../test/text-rig.ts';

describe('operator headers', () => {
  it('are sent with every call, before the kind’s own of the same name', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    const headers = { 'Api-Key': 'azure-key-1', Authorization: 'Basic abc', 'User-Agent': 'acme' };
    await using rig = textRig({
      kind: 'responses',
      base_url: `${server.origin}/v1?api-version=1`,
      api_key: 'k',
      headers,
    });
    await textOf(await rig.text.open(textCall()));
    const { signal } = new AbortController();
    const stored = await rig.text.openStored?.({ method: 'GET', path: '/resp_1', signal });
    if (stored !== undefined) await textOf(stored);
    expect(server.requests.map((request) => request.url)).toEqual([
      '/v1/responses?api-version=1',
      '/v1/responses/resp_1?api-version=1',
    ]);
    for (const request of server.requests)
      expect(request.headers).toMatchObject({
        'api-key': 'azure-key-1',
        authorization: 'Basic abc',
        'user-agent': 'acme',
      });
  });

  it('are hidden like the key', () => {
    const headers = { 'api-key': 'azure-key-1' };
    const { text } = textRig({ kind: 'responses', base_url: 'https://a.example/v1', headers });
    expect(text.scrub('not azure-key-1 at a.example')).toBe('not [hidden] at [hidden]');
  });
});

it('returns configured quirks, or none', () => {
  const account = { kind: 'messages', base_url: 'https://a.example' };
  expect(textRig({ ...account, quirks: { sampling: false } }).text.quirks).toEqual({ sampling: false });
  expect(textRig(account).text.quirks).toEqual({});
});

it('refuses an invalid base URL at startup', () => {
  expect(() => textRig({ kind: 'messages', base_url: 'nonsense' })).toThrow(TypeError);
});
