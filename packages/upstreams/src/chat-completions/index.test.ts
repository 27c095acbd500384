import { describe, expect, it } from 'vitest';
import { startServer } from '../../test/local-server.ts';
import { describeTextContract } from '../../test/text-contract.ts';
import { TEXT_KEY, textCall, textOf, textRig } from '../../test/text-rig.ts';

describeTextContract('chat-completions', '/v1');

describe('chat-completions', () => {
  it('calls below its base URL, with the key as Bearer', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await using rig = textRig({
      kind: 'chat-completions',
      base_url: `${server.origin}/api/v1/`,
      api_key: TEXT_KEY,
      completions: true,
    });
    await textOf(await rig.text.open(textCall({ stream: true })));
    await textOf(await rig.text.open(textCall({ operation: 'complete', stream: false })));
    expect(
      server.requests.map(({ method, url, headers: { authorization, accept } }) => [
        method,
        url,
        authorization,
        accept,
      ]),
    ).toEqual([
      ['POST', '/api/v1/chat/completions', `Bearer ${TEXT_KEY}`, 'text/event-stream'],
      ['POST', '/api/v1/completions', `Bearer ${TEXT_KEY}`, 'application/json'],
    ]);
    expect(rig.text).toMatchObject({ protocol: 'chat-completions', completions: true });
  });

  it('supports only its own calls', async () => {
    await using rig = textRig({ kind: 'chat-completions', base_url: 'http://127.0.0.1:1/v1' });
    for (const operation of ['complete', 'count-tokens', 'compact'] as const)
      await expect(rig.text.open(textCall({ operation }))).rejects.toMatchObject({ code: 'not_found' });
    expect(rig.text).not.toHaveProperty('openStored');
    expect(rig.text.completions).toBe(false);
  });
});
