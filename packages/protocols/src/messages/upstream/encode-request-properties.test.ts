import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { decodeRequest } from '../client/decode-request.ts';
import { encodeRequest } from './encode-request.ts';
import { target } from '../../../test/encoded-messages.ts';

describe('messages → canonical → messages → canonical', () => {
  const tokenCodec = createTokenCodec('secret');
  const to = target('claude-opus-4-6');
  const decode = (body: Record<string, unknown>) =>
    decodeRequest({ body, model: 'm', stream: body['stream'] === true, tokenCodec, report: () => undefined });
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  const cache = fc.option(fc.constantFrom({ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }), { nil: undefined });
  const text = fc.record({ type: fc.constant('text'), text: word });
  const image = fc.constant({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' },
  });
  const thinking = word.map((value) => ({
    type: 'thinking',
    thinking: value,
    signature: tokenCodec.wrap({ protocol: 'messages', account: 'acc', model: 'claude-opus-4-6', value }),
  }));
  const redacted = word.map((value) => ({
    type: 'redacted_thinking',
    data: tokenCodec.wrap({ protocol: 'messages', account: 'acc', model: 'claude-opus-4-6', value }),
  }));
  const rounds = fc
    .array(
      fc.record({
        userContent: fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 3 }),
        reasoning: fc.array(fc.oneof(thinking, redacted), { maxLength: 2 }),
        assistantText: text,
        calls: fc.array(fc.record({ name: word, input: fc.dictionary(word, word) }), { maxLength: 3 }),
        result: fc.oneof(word, fc.array(fc.oneof(text, image), { minLength: 1, maxLength: 2 })),
        cache,
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((list) =>
      list.flatMap((round, index) => {
        const calls = round.calls.map((call, at) => ({ type: 'tool_use', id: `toolu_${index}_${at}`, ...call }));
        const results = calls.map(({ id }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: round.result,
          ...(round.cache && { cache_control: round.cache }),
        }));
        return [
          { role: 'user', content: round.userContent },
          { role: 'assistant', content: [...round.reasoning, round.assistantText, ...calls] },
          ...(results.length > 0 ? [{ role: 'user', content: results }] : []),
        ];
      }),
    );
  const bodies = fc.record(
    {
      model: fc.constant('m'),
      max_tokens: fc.integer({ min: 1, max: 64_000 }),
      messages: rounds,
      system: fc.oneof(word, fc.array(text, { minLength: 1, maxLength: 2 })),
      stop_sequences: fc.array(word, { maxLength: 2 }),
      top_k: fc.integer({ min: 1, max: 50 }),
      temperature: fc.double({ min: 0, max: 1, noNaN: true }),
      thinking: fc.constantFrom({ type: 'disabled' }),
      output_config: fc.constantFrom(
        {},
        { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
      ),
      service_tier: fc.constantFrom('auto', 'standard_only'),
      metadata: fc.record({ user_id: word }),
      cache_control: fc.constant({ type: 'ephemeral' }),
      tools: fc.constant([{ name: 'run', description: 'Runs.', input_schema: { type: 'object', properties: {} } }]),
      tool_choice: fc.constantFrom(
        { type: 'auto' },
        { type: 'any' },
        { type: 'tool', name: 'run', disable_parallel_tool_use: true },
      ),
    },
    { requiredKeys: ['model', 'max_tokens', 'messages', 'tools'] },
  );

  it('is stable', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const once = encodeRequest(decode(body), to, () => undefined);
        const twice = encodeRequest(decode(rewrap(once)), to, () => undefined);
        expect(twice).toEqual(once);
      }),
      { numRuns: 200 },
    );
  });

  const wrap = (value: string) =>
    tokenCodec.wrap({ protocol: 'messages', account: 'acc', model: 'claude-opus-4-6', value });

  /** Wraps the vendor's values in the form in which a client returns them. */
  function rewrap(body: Record<string, unknown>): Record<string, unknown> {
    return JSON.parse(JSON.stringify(body), (key: string, value: unknown) =>
      (key === 'signature' || key === 'data') && typeof value === 'string' && !value.startsWith('iVBOR')
        ? wrap(value)
        : value,
    ) as Record<string, unknown>; // The cast is safe because the body remains an object.
  }
});
