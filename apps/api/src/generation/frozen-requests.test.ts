import {
  type ContentBlock,
  type GenerationRequest,
  type Message,
  type OpaqueToken,
  TEXT_PROTOCOLS,
  type TextTarget,
  type UpstreamProtocolName,
} from '@sluice/canonical';
import * as protocols from '@sluice/protocols';
import type { UpstreamProtocol } from '@sluice/protocols';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deepFrozen } from '../../test/deep-frozen.ts';

const PROTOCOLS = Object.values(protocols).filter(
  (one): one is UpstreamProtocol => typeof one === 'object' && 'encodeRequest' in one,
);
const MODELS: Readonly<Record<UpstreamProtocolName, string>> = {
  'chat-completions': 'gpt-5',
  responses: 'gpt-5',
  messages: 'claude-sonnet-4-5',
  'generative-content': 'gemini-3-pro',
  converse: 'anthropic.claude-sonnet-4-5-20250929-v1:0',
};

const cache = fc.option(fc.constant({ ttl: '1h' }), { nil: undefined });
const opaqueToken: fc.Arbitrary<OpaqueToken | undefined> = fc.option(
  fc.record({
    protocol: fc.constantFrom(...PROTOCOLS.map(({ name }) => name)),
    account: fc.constant('acme'),
    value: fc.base64String({ minLength: 4 }),
  }),
  { nil: undefined },
);
const text: fc.Arbitrary<ContentBlock> = fc.record({
  type: fc.constant('text'),
  text: fc.string(),
  cache,
  opaqueToken,
});
const image: fc.Arbitrary<ContentBlock> = fc.record({
  type: fc.constant('media'),
  kind: fc.constant('image'),
  source: fc.constant({ from: 'base64' as const, mediaType: 'image/png', data: 'AAAA' }),
  cache,
});
const reasoning: fc.Arbitrary<ContentBlock> = fc.record({
  type: fc.constant('reasoning'),
  text: fc.array(fc.string(), { maxLength: 2 }),
  isSummary: fc.boolean(),
  opaqueToken,
});
const ids = fc.constantFrom('call_1', 'functions.search:0', 'call_2');
const kind = fc.constantFrom('function' as const, 'custom' as const);
const call: fc.Arbitrary<ContentBlock> = fc.record({
  type: fc.constant('tool-call'),
  callId: ids,
  name: fc.constantFrom('f', 'g'),
  kind,
  arguments: fc.constantFrom('', '{}', '{"a":[1]}', 'broken {'),
  opaqueToken,
});
const result: fc.Arbitrary<ContentBlock> = fc.record({
  type: fc.constant('tool-result'),
  callId: ids,
  kind,
  content: fc.array(fc.oneof(text, image), { maxLength: 2 }) as fc.Arbitrary<never[]>, // The tool result's content.
  isError: fc.boolean(),
});
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constantFrom('system', 'developer'), content: fc.array(text, { maxLength: 2 }) }),
  fc.record({ role: fc.constant('user'), content: fc.array(fc.oneof(text, image, result), { maxLength: 4 }) }),
  fc.record({ role: fc.constant('assistant'), content: fc.array(fc.oneof(reasoning, text, call), { maxLength: 5 }) }),
);
const request: fc.Arbitrary<GenerationRequest> = fc.record(
  {
    protocol: fc.constantFrom(...TEXT_PROTOCOLS),
    model: fc.constant('m'),
    stream: fc.boolean(),
    messages: fc.array(message, { maxLength: 8 }),
    tools: fc.array(
      fc.record({
        kind,
        name: fc.constantFrom('f', 'g'),
        schema: fc.constant({ type: 'object', properties: { a: { type: ['array', 'null'] } }, $schema: 'x' }),
        cache,
      }),
      { maxLength: 2 },
    ),
    maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
    temperature: fc.constantFrom(0, 1.7),
    stop: fc.constantFrom(['a'], ['a', 'b', 'c', 'd', 'e', 'f']),
    reasoning: fc.constantFrom({ effort: 'high' as const }, { budgetTokens: 2_000 }, { enabled: false }),
    format: fc.constant({ type: 'schema' as const, name: 's', schema: { type: 'object', properties: {} } }),
  },
  { requiredKeys: ['protocol', 'model', 'stream', 'messages', 'tools'] },
);

describe('a request for several targets', () => {
  it.each(PROTOCOLS.map((protocol) => [protocol.name, protocol] as const))(
    'is encoded by %s without changes, and identically each time',
    (name, protocol) => {
      const target: TextTarget = { upstream: 'u', account: 'acme', protocol: name, model: MODELS[name], quirks: {} };
      /** Returns the encoded request, or the reason why it was rejected. */
      const write = (params: GenerationRequest): string => {
        try {
          return JSON.stringify(protocol.encodeRequest(params, target, () => undefined));
        } catch (error) {
          // A rejection is a valid result. A TypeError means that code wrote to a frozen value.
          if (error instanceof TypeError) throw error;
          return String(error);
        }
      };
      fc.assert(
        fc.property(request, (params) => {
          const before = JSON.stringify(params);
          const shared = deepFrozen(params);
          expect(write(shared)).toBe(write(shared));
          expect(JSON.stringify(shared)).toBe(before);
        }),
        { numRuns: 200 },
      );
    },
  );
});
