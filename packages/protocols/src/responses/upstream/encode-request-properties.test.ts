import type { GenerationRequest } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../json/values.ts';
import { createTokenCodec } from '../../text/token-codec.ts';
import { decodeRequest } from '../client/decode-request.ts';
import { encodeRequest } from './encode-request.ts';
import { target } from '../../../test/encoded-responses.ts';

describe('round trip of a request', () => {
  const tokenCodec = createTokenCodec('s');
  const wrapped = tokenCodec.wrap({ protocol: 'responses', account: 'acct', model: 'some-model', value: 'gAAAA' });
  const text = fc.string({ minLength: 1, maxLength: 10 });
  const spoken = fc.oneof(
    fc.record({ role: fc.constantFrom('user', 'system', 'assistant'), content: text }),
    fc.record({
      type: fc.constant('message'),
      role: fc.constant('user'),
      content: fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('input_text'), text }),
          fc.constant({ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'high' }),
          fc.constant({ type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' }),
        ),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  );
  const called = fc.tuple(fc.uuid(), text, fc.boolean()).map(([id, output, isCustom]) =>
    isCustom
      ? [
          { type: 'custom_tool_call', call_id: id, name: 'exec', input: output },
          { type: 'custom_tool_call_output', call_id: id, output },
        ]
      : [
          { type: 'function_call', call_id: id, name: 'f', arguments: '{"a":1}' },
          { type: 'function_call_output', call_id: id, output },
        ],
  );
  const thought = fc.record({
    type: fc.constant('reasoning'),
    summary: fc.array(fc.record({ type: fc.constant('summary_text'), text }), { maxLength: 2 }),
    encrypted_content: fc.constant(wrapped),
  });
  const input = fc
    .array(
      fc.oneof(
        spoken.map((item) => [item]),
        called,
        thought.map((item) => [item]),
      ),
      { minLength: 1, maxLength: 8 },
    )
    .map((items) => items.flat());

  const read = (body: JsonObject): GenerationRequest =>
    decodeRequest({ body, model: 'm', stream: false, tokenCodec, report: () => {} });
  /** Replaces tokens, because the wire format contains an account only in wrapped tokens. */
  const rewrap = (body: JsonObject): JsonObject => {
    // The cast is safe because `encodeRequest` wrote these items.
    const items = structuredClone(body['input'] as JsonObject[]);
    for (const item of items) if (item['type'] === 'reasoning') item['encrypted_content'] = wrapped;
    return { ...body, input: items };
  };

  it('preserves the request', () => {
    fc.assert(
      fc.property(input, fc.constantFrom('auto', 'required'), (items, toolChoice) => {
        const tools = [
          { type: 'function', name: 'f', parameters: { type: 'object', properties: {} }, strict: true },
          { type: 'custom', name: 'exec', format: { type: 'text' } },
          { type: 'web_search' },
        ];
        const first = read({ model: 'm', input: items, tools, tool_choice: toolChoice, temperature: 0.5, top_p: 0.5 });
        const second = read(rewrap(encodeRequest(first, target, () => {})));
        expect(second).toEqual(first);
      }),
    );
  });
});
