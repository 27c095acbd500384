import type { Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { TEXT_PROTOCOLS, createTarget, openExchange, protocolNamed } from '../../test/text-exchange.ts';
import { translateResponse } from '../../test/response-fuzz/translate-response.ts';
import { createResponseLosses } from './response-loss-names.ts';
import { hasContent, kindName, reportUnread } from './response-losses.ts';

const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__'];

const messagesOf = (type: string) => [{ role: 'user', content: [{ type, text: 'a' }] }];
const requestBodies = (type: string): Record<string, Record<string, unknown>> => ({
  'chat-completions': { messages: messagesOf(type) },
  messages: { max_tokens: 10, messages: messagesOf(type) },
  responses: { input: [...messagesOf(type), { type, role: 'user' }] },
});

const responseBodies = (type: unknown): Record<string, Record<string, unknown>> => ({
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [
      { type: 'text', text: 'Hi' },
      { type, text: 'x' },
    ],
    stop_reason: type,
  },
  responses: {
    id: 'resp_1',
    status: 'completed',
    output: [
      { type, id: 'x' },
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'output_text', text: 'Hi', annotations: [{ type, url: 'a' }] },
          { type, text: 'x' },
        ],
      },
    ],
  },
  'chat-completions': {
    id: 'chatcmpl-1',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: [{ type: 'text', text: 'Hi' }, { type }] },
        finish_reason: type,
      },
    ],
  },
});

describe('requests with inherited names as types', () => {
  it.each(INHERITED)('does not fail internally for %s', (type) => {
    for (const [name, body] of Object.entries(requestBodies(type))) {
      for (const upstream of TEXT_PROTOCOLS.filter((protocol) => protocol.name !== name)) {
        const target = createTarget(upstream.name);
        const open = () => openExchange({ client: protocolNamed(name), upstream, target, body, stream: false });
        try {
          open();
        } catch (error) {
          expect(error).toMatchObject({ name: 'GatewayError', status: 400 });
        }
      }
    }
  });
});

describe('responses with inherited names as types', () => {
  it.each([...INHERITED, { toString: 1, valueOf: 1 }])('translates the rest of a response with %j', (type) => {
    for (const [name, response] of Object.entries(responseBodies(type))) {
      for (const client of TEXT_PROTOCOLS.filter((protocol) => protocol.name !== name)) {
        const upstream = protocolNamed(name);
        expect(translateResponse({ client, upstream, response, stream: false }).text).toContain('Hi');
      }
    }
  });

  it('names a type that is no string as unknown', () => {
    expect([kindName('a'), kindName({ toString: 1 }), kindName(undefined)]).toEqual(['a', 'unknown', 'unknown']);
  });
});

describe('hasContent', () => {
  it('treats a deeply nested value as content', () => {
    const deep: unknown = JSON.parse('{"a":'.repeat(6_000) + 'null' + '}'.repeat(6_000));
    expect(hasContent(deep)).toBe(true);
    const losses: Loss[] = [];
    reportUnread({ novel: deep }, new Set(), '', (loss) => losses.push(loss));
    expect(losses).toEqual([{ field: 'response.novel', how: 'dropped' }]);
  });

  it('treats null and empty values within objects as no content', () => {
    expect(hasContent({ a: { b: null, c: [], d: '' } })).toBe(false);
  });
});

describe('createResponseLosses', () => {
  it('stops collecting at 100 names', () => {
    const { list, report } = createResponseLosses('chat-completions');
    for (let index = 0; index < 500; index += 1) report({ field: `response.novel_${index}`, how: 'dropped' });
    expect(list).toHaveLength(100);
  });
});

it('does not report the system fingerprint of chat completions', () => {
  const response = {
    id: 'chatcmpl-1',
    system_fingerprint: 'fp_1',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  };
  const upstream = protocolNamed('chat-completions');
  for (const client of TEXT_PROTOCOLS.filter((protocol) => protocol !== upstream)) {
    for (const stream of [false, true]) {
      expect(translateResponse({ client, upstream, response, stream }).lost).toEqual([]);
    }
  }
});
