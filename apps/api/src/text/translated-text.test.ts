import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  chatResponse,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../test/text-rig.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;

beforeEach(async () => {
  upstream = await scriptedUpstream((_request, response) => sendJson(response, 200, chatResponse('ok')));
  rig = await textRig({
    upstreams: { chat: { kind: 'chat-completions', base_url: `${upstream.url}/v1`, api_key: 'sk-vendor' } },
    models: [
      { id: 'openai', routes: [{ upstream: 'chat', model: 'gpt-4.1' }] },
      { id: 'other', routes: [{ upstream: 'chat', model: 'qwen3' }] },
    ],
  });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const text = (value: string) => ({ type: 'text', text: value });

describe('texts in several blocks', () => {
  it.each([
    ['openai', [text('Summ'), text('arise')]],
    ['other', 'Summarise'],
  ])('reach the model %s without added characters', async (model, content) => {
    const response = await rig.post('/v1/messages', {
      model,
      max_tokens: 10,
      messages: [{ role: 'user', content: [text('Summ'), text('arise')] }],
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('x-sluice-dropped')).toBeNull();
    expect(upstream.requests[0]?.body['messages']).toEqual([{ role: 'user', content }]);
  });
});
