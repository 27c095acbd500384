import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/local-server.ts';
import { describeTextContract } from '../../test/text-contract.ts';
import { TEXT_KEY, textCall, textOf, textRig } from '../../test/text-rig.ts';

describeTextContract('messages', '');

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
