import { describe, expect, it } from 'vitest';
import type { UpstreamAccount } from '../contract/upstream.ts';
import { readBody, startServer } from '../../test/local-server.ts';
import { describeTextContract } from '../../test/text-contract.ts';
import { TEXT_KEY, textCall, textOf, textRig } from '../../test/text-rig.ts';

describeTextContract('messages', '');

function quirksOf(account: Partial<UpstreamAccount>) {
  return textRig({ kind: 'messages', base_url: 'https://a.example', ...account }).text.quirks;
}

describe('messages', () => {
  it.each(['', '/', '/v1', '/v1/'])('calls below its base URL, with %j at the end', async (end) => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await using rig = textRig({ kind: 'messages', base_url: `${server.origin}${end}`, api_key: TEXT_KEY });
    await textOf(await rig.text.open(textCall()));
    await textOf(await rig.text.open(textCall({ operation: 'count-tokens' })));
    expect(server.requests.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
      ['/v1/messages', TEXT_KEY],
      ['/v1/messages/count_tokens', TEXT_KEY],
    ]);
    expect(server.requests[0]?.headers).toMatchObject({ 'anthropic-version': '2023-06-01' });
    await expect(rig.text.open(textCall({ operation: 'compact' }))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('declares the betas that its host accepts, unless the operator did', () => {
    expect(quirksOf({}).betas).toBeUndefined();
    const bedrock = { base_url: 'https://bedrock-mantle.us-east-1.api.aws/anthropic' };
    expect(quirksOf(bedrock).betas).toContain('claude-code-20250219');
    expect(quirksOf({ ...bedrock, quirks: { betas: ['a'] } }).betas).toEqual(['a']);
  });

  it('calls Claude on Vertex AI at the path of the model, without the version header', async () => {
    const bodies: string[] = [];
    await using server = await startServer(async (request, response) => {
      bodies.push((await readBody(request)).toString());
      response.end('{}');
    });
    const base = '/v1/projects/p/locations/global/publishers/anthropic';
    await using rig = textRig({ kind: 'messages', base_url: `${server.origin}${base}`, api_key: TEXT_KEY });
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-1m' };
    const call = (more: object) => textCall({ model: 'claude-x@1', headers, body: '{"a":1.0}', ...more });
    await textOf(await rig.text.open(call({ stream: true })));
    await textOf(await rig.text.open(call({ stream: false })));
    await textOf(await rig.text.open(call({ operation: 'count-tokens', stream: false })));
    expect(server.requests.map(({ url }, index) => [url, bodies[index]])).toEqual([
      [`${base}/models/claude-x%401:streamRawPredict`, '{"a":1.0}'],
      [`${base}/models/claude-x%401:rawPredict`, '{"a":1.0}'],
      [`${base}/models/count-tokens:rawPredict`, '{"a":1,"anthropic_version":"vertex-2023-10-16"}'],
    ]);
    expect(server.requests[0]?.headers).toMatchObject({ 'anthropic-beta': 'context-1m', 'x-goog-api-key': TEXT_KEY });
    expect(server.requests[0]?.headers).not.toHaveProperty('anthropic-version');
    expect(rig.text.quirks).toMatchObject({ version_in_body: 'vertex-2023-10-16' });
    await expect(rig.text.open(call({ operation: 'compact' }))).rejects.toMatchObject({ code: 'not_found' });
    await expect(rig.text.open(call({ model: '../x' }))).rejects.toMatchObject({ code: 'model_not_found' });
  });

  it('sends the client’s version and betas, unless the operator set them', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    const account = { kind: 'messages', base_url: server.origin };
    const headers = { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'context-1m' };
    await using plain = textRig(account);
    await textOf(await plain.text.open(textCall({ headers })));
    await using fixed = textRig({ ...account, headers: { 'Anthropic-Beta': 'mine', 'x-title': 'sluice' } });
    await textOf(await fixed.text.open(textCall({ headers })));
    expect(server.requests.map((request) => request.headers)).toMatchObject([
      headers,
      { 'anthropic-version': '2026-10-21', 'anthropic-beta': 'mine', 'x-title': 'sluice' },
    ]);
  });
});
