import type { GenerationRequest, TextTarget } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseInput } from '../json/parse-input.ts';
import { createTokenCodec } from '../text/token-codec.ts';
import { chatCompletionsProtocol } from './protocol.ts';

interface WireMessage {
  role: string;
  tool_call_id?: string;
  tool_calls?: { id: string }[];
}

const tokenCodec = createTokenCodec('secret');
const target: TextTarget = {
  upstream: 'u',
  account: 'acc',
  protocol: 'chat-completions',
  model: 'm',
  quirks: { reasoning_content: true, top_k: true },
};

function decode(body: Record<string, unknown>): GenerationRequest {
  parseInput(chatCompletionsProtocol.topLevel, body);
  return chatCompletionsProtocol.decodeRequest({ body, model: 'm', stream: false, tokenCodec, report: () => {} });
}
const encode = (request: GenerationRequest) => chatCompletionsProtocol.encodeRequest(request, target, () => {});

const anyText = fc.string({ minLength: 1, unit: 'grapheme' });
const image = fc.constantFrom('https://x.test/a.png', 'data:image/png;base64,iVBORw0KGgo=');
const part = fc.oneof(
  fc.record({ type: fc.constant('text'), text: fc.string() }),
  fc.record({ type: fc.constant('image_url'), image_url: fc.record({ url: image }) }),
  fc.constant({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
  fc.constant({ type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } }),
);
const content = fc.oneof(fc.string(), fc.array(part, { minLength: 1, maxLength: 3 }));
const texts = fc.oneof(
  fc.string(),
  fc.array(fc.record({ type: fc.constant('text'), text: fc.string() }), { minLength: 1, maxLength: 2 }),
);
const id = fc.constantFrom('call_1', 'call_2', 'functions.f:0');
const toolCall = fc.oneof(
  fc.record({
    id,
    type: fc.constant('function'),
    function: fc.record({
      name: fc.constantFrom('f', 'g.h'),
      arguments: fc.constantFrom('{}', '', '{"a":1}', 'broken'),
    }),
  }),
  fc.record({ id, type: fc.constant('custom'), custom: fc.record({ name: fc.constant('c'), input: fc.string() }) }),
);
const message = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'developer'), content: texts }),
  fc.record({ role: fc.constant('user'), content }),
  fc.record({
    role: fc.constant('assistant'),
    content: fc.oneof(fc.constant(null), fc.string()),
    tool_calls: fc.array(toolCall, { maxLength: 3 }),
    reasoning_content: fc.constantFrom(undefined, 'hm'),
  }),
  fc.record({ role: fc.constant('tool'), tool_call_id: id, content: texts }),
);
const body = fc.record(
  {
    model: fc.constant('m'),
    messages: fc.array(message, { minLength: 1, maxLength: 6 }),
    temperature: fc.double({ min: 0, max: 2, noNaN: true }),
    top_p: fc.double({ min: 0, max: 1, noNaN: true }),
    top_k: fc.integer({ min: 1, max: 9 }),
    seed: fc.integer(),
    n: fc.integer({ min: 2, max: 3 }),
    stop: fc.oneof(anyText, fc.array(anyText, { maxLength: 6 })),
    max_tokens: fc.integer({ min: 1, max: 99 }),
    reasoning_effort: fc.constantFrom('none', 'low', 'max'),
    tools: fc.array(
      fc.record({ type: fc.constant('function'), function: fc.record({ name: fc.constantFrom('f', 'g.h', 'c') }) }),
      { maxLength: 3 },
    ),
    tool_choice: fc.constantFrom('auto', 'none', 'required', null),
    response_format: fc.constantFrom(
      { type: 'text' },
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'a', schema: {} } },
    ),
    user: fc.string({ maxLength: 90 }),
  },
  { requiredKeys: ['model', 'messages'] },
);

describe('chat completions protocol', () => {
  it('produces the same output after a round trip', () => {
    fc.assert(
      fc.property(body, (sent) => {
        // Serializes as on the wire.
        // The cast is safe because the input is an object.
        const once = encode(decode(JSON.parse(JSON.stringify(sent)) as Record<string, unknown>));
        if (Array.isArray(once['messages']) && once['messages'].length === 0) return;
        // The cast is safe because the input is an object.
        const twice = encode(decode(JSON.parse(JSON.stringify(once)) as Record<string, unknown>));
        expect(twice).toEqual(once);
      }),
      { numRuns: 300 },
    );
  });

  it('preserves a plain conversation across the canonical model', () => {
    const sent = {
      model: 'm',
      messages: [
        { role: 'system', content: 'be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'see' },
            { type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          reasoning_content: 'hm',
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: 'x' },
        { role: 'user', content: 'and?' },
      ],
      temperature: 0.5,
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } }],
      tool_choice: 'auto',
    };
    expect(encode(decode(sent))).toEqual(sent);
  });

  it('places tool messages only after their calls', () => {
    fc.assert(
      fc.property(body, (sent) => {
        // The cast is safe because the input is an object.
        const written = encode(decode(JSON.parse(JSON.stringify(sent)) as Record<string, unknown>))['messages'];
        let open: string[] = [];
        for (const one of written as WireMessage[]) {
          if (one.role === 'tool') {
            expect(one.tool_call_id).toBe(open.shift());
            continue;
          }
          expect(open).toEqual([]);
          open = (one.tool_calls ?? []).map((call) => call.id);
        }
        expect(open).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
