import { describe, expect, it } from 'vitest';
import { testTextEndpoint } from '../../../test/bad-input/text-endpoint.ts';
import { useTextRig } from '../../../test/bad-input/text-rigs.ts';

/** Two user messages, the second with this content. */
const second = (content: unknown) => [
  { role: 'user', content: 'hi' },
  { role: 'user', content },
];
const part = (type: string, value: unknown) => ({ type, [type]: value });
const called = (call: unknown) => ({ messages: [{ role: 'assistant', tool_calls: [call] }] });

testTextEndpoint('chat completions', {
  types: {
    model: ['string'],
    messages: ['array'],
    temperature: ['number', 'null'],
    top_p: ['null'],
    n: ['null'],
    stream: ['boolean', 'null'],
    stream_options: ['object', 'null'],
    stop: ['string', 'null'],
    max_tokens: ['null'],
    max_completion_tokens: ['null'],
    presence_penalty: ['number', 'null'],
    frequency_penalty: ['number', 'null'],
    logit_bias: ['object', 'null'],
    user: ['string', 'null'],
    tools: ['array', 'null'],
    tool_choice: ['string', 'object', 'null'],
    response_format: ['object', 'null'],
    seed: ['null'],
    reasoning_effort: ['null'],
    modalities: ['null'],
    audio: ['object', 'null'],
  },
  limits: [
    ['temperature', [0, 2, 1e-9], [-0.01, 2.01, -1e300, 1e300]],
    ['top_p', [0, 1], [-0.01, 1.01]],
    ['n', [1], [0, -1, 1.5]],
    ['presence_penalty', [-2, 2, 0], [-2.01, 2.01]],
    ['frequency_penalty', [-2, 2, 0], [-2.01, 2.01]],
  ],
  unknownValues: [
    ['reasoning_effort', 'extreme'],
    ['verbosity', 'loud'],
  ],
  required: ['messages'],
  empty: [
    ['messages', []],
    ['model', ''],
  ],
  nested: [
    [{ messages: [5] }, 'messages[0]'],
    [{ messages: [null] }, 'messages[0]'],
    [{ messages: [{ role: 'wizard', content: 'x' }] }, 'messages[0][role]'],
    [{ messages: second(5) }, 'messages[1][content]'],
    [{ messages: second([null]) }, 'messages[1][content][0]'],
    [{ messages: second([{ text: 'x' }]) }, 'messages[1][content][0][type]'],
    [{ messages: second([part('text', 5)]) }, 'messages[1][content][0][text]'],
    [{ messages: second([part('image_url', 5)]) }, 'messages[1][content][0][image_url]'],
    [{ messages: second([part('image_url', {})]) }, 'messages[1][content][0][image_url][url]'],
    [
      { messages: second([part('image_url', { url: 'data:image/png;base64,%%%' })]) },
      'messages[1][content][0][image_url][url]',
    ],
    [{ messages: second([part('input_audio', { format: 'wav' })]) }, 'messages[1][content][0][input_audio][data]'],
    [{ messages: second([part('file', {})]) }, 'messages[1][content][0][file]'],
    [{ messages: [{ role: 'assistant', tool_calls: {} }] }, 'messages[0][tool_calls]'],
    [called(5), 'messages[0][tool_calls][0]'],
    [called({ id: 'c', type: 'function', function: {} }), 'messages[0][tool_calls][0][function][name]'],
    [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0][tool_call_id]'],
    [{ tools: [5] }, 'tools[0]'],
    [{ tools: [{ type: 'function', function: {} }] }, 'tools[0][function][name]'],
    [{ tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] }, 'tools[0][function][parameters]'],
    [{ tool_choice: { type: 'function' } }, 'tool_choice[function]'],
    [{ response_format: { type: 'yaml' } }, 'response_format[type]'],
    [{ response_format: { type: 'json_schema' } }, 'response_format[json_schema]'],
  ],
});

describe('POST /v1/chat/completions', () => {
  const context = useTextRig();

  describe('400', () => {
    it.each([
      String.raw`"model":"by-chat","model":"no-such-model"`,
      String.raw`"model":"no-such-model","model":"by-chat"`,
      String.raw`"model":"by-chat","mod\u0065l":"no-such-model"`,
      String.raw`"model":"by-chat","temperature":1,"temper\u0061ture":5`,
      String.raw`"padding":"${'x'.repeat(70_000)}","model":"no-such-model","mod\u0065l":"by-chat"`,
    ])('a field is repeated, so that a check and the upstream could read different values: %.40s', async (members) => {
      const messages = JSON.stringify([{ role: 'user', content: 'hi' }]);
      const reply = await context.rig.post('/v1/chat/completions', `{"messages":${messages},${members}}`);
      expect(reply.status).toBe(400);
      expect(context.upstream.requests).toEqual([]);
    });
  });
});
