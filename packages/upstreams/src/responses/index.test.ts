import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/local-server.ts';
import { describeTextContract } from '../../test/text-contract.ts';
import { TEXT_KEY, textCall, textOf, textRig } from '../../test/text-rig.ts';

describeTextContract('responses', '/v1');

describe('responses', () => {
  it('calls below its base URL, with the key as Bearer', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await using rig = textRig({ kind: 'responses', base_url: `${server.origin}/v1`, api_key: TEXT_KEY });
    for (const operation of ['generate', 'compact', 'count-tokens'] as const)
      await textOf(await rig.text.open(textCall({ operation })));
    expect(server.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/v1/responses', `Bearer ${TEXT_KEY}`],
      ['/v1/responses/compact', `Bearer ${TEXT_KEY}`],
      ['/v1/responses/input_tokens', `Bearer ${TEXT_KEY}`],
    ]);
    await expect(rig.text.open(textCall({ operation: 'complete' }))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('reaches stored responses and no other path', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await using rig = textRig({ kind: 'responses', base_url: `${server.origin}/v1`, api_key: TEXT_KEY });
    const { signal } = new AbortController();
    const open = async (method: 'GET' | 'DELETE' | 'POST', path: string) => {
      const reply = await rig.text.openStored?.({ method, path, signal });
      if (reply !== undefined) await textOf(reply);
    };
    await open('GET', '/resp_1/input_items?limit=2&order=asc');
    await open('DELETE', '/resp_1');
    await open('POST', '/resp_1/cancel');
    expect(server.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/v1/responses/resp_1/input_items?limit=2&order=asc', `Bearer ${TEXT_KEY}`],
      ['DELETE', '/v1/responses/resp_1', `Bearer ${TEXT_KEY}`],
      ['POST', '/v1/responses/resp_1/cancel', `Bearer ${TEXT_KEY}`],
    ]);
    for (const path of ['/../files', '/%2e%2e/files', '/a/../../files', '/a b', 'a', '/a#b', '//../..'])
      await expect(open('GET', path)).rejects.toMatchObject({ code: 'response_not_found' });
    expect(server.requests).toHaveLength(3);
  });
});
