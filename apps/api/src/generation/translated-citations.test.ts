import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { MODELS, respondWith, vendorConfig } from '../../test/vendor.ts';

const HEAD = { id: 'chatcmpl-1', object: 'chat.completion', created: 1, model: 'theirs' };
const url_citation = { url: 'https://a.example', title: 'A', content: 'the source', start_index: 0, end_index: 5 };

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  const { upstreams, models } = vendorConfig(upstream.url);
  rig = await textRig({ upstreams, models: models.map((model) => Object.assign(model, { strict: true })) });
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

const send = (model: string, ...later: object[]) =>
  rig.post('/v1/messages', { model, max_tokens: 99, messages: [{ role: 'user', content: 'hi' }, ...later] });

describe('a citation that the gateway translated for a messages client', () => {
  it('is accepted in the next turn by every upstream in strict mode', async () => {
    upstream.script = (_request, response) => {
      const message = { role: 'assistant', content: 'hello', annotations: [{ type: 'url_citation', url_citation }] };
      sendJson(response, 200, { ...HEAD, choices: [{ index: 0, message, finish_reason: 'stop' }] });
    };
    const first = (await (await send(MODELS['chat-completions'])).json()) as { content: { citations: object[] }[] };
    expect(first.content[0]?.citations).toMatchObject([{ url: 'https://a.example', cited_text: 'the source' }]);
    upstream.script = respondWith('well');
    for (const model of Object.values(MODELS)) {
      const reply = await send(model, { role: 'assistant', content: first.content }, { role: 'user', content: 'go' });
      expect([model, reply.status, reply.headers.get('x-sluice-dropped')]).toEqual([model, 200, null]);
    }
  });

  it('does not hide the loss of a citation of the vendor', async () => {
    const citations = [{ type: 'web_search_result_location', url: 'https://b.example', encrypted_index: 'Eo8B' }];
    const content = [{ type: 'text', text: 'hello', citations }];
    const turns = [
      { role: 'assistant', content },
      { role: 'user', content: 'go' },
    ];
    const reply = await send(MODELS['chat-completions'], ...turns);
    expect(reply.status).toBe(400);
  });
});
