import { readTextRequest } from '@sluice/protocols';
import { expect, it } from 'vitest';
import { isIdempotent } from './is-idempotent.ts';
import { UPSTREAM_PROTOCOLS } from '../../generation/text-protocols.ts';

/** The fields that each protocol requires. */
const PROMPTS = {
  model: 'm',
  max_tokens: 5,
  messages: [{ role: 'user', content: 'x' }],
  input: 'x',
  contents: [{ role: 'user', parts: [{ text: 'x' }] }],
};

it.each([
  ['chat-completions', 'chat-completions', {}, true],
  ['chat-completions', 'responses', { store: true }, true],
  ['responses', 'responses', {}, false],
  ['responses', 'responses', { store: false }, true],
  ['responses', 'messages', {}, true],
  ['responses', 'responses', { store: false, background: true }, false],
  ['responses', 'responses', { store: false, conversation: 'conv_1' }, false],
  ['responses', 'responses', { store: false, tools: [{ type: 'function', name: 'f' }] }, true],
  ['responses', 'responses', { store: false, tools: [{ type: 'mcp', server_url: 'https://mcp.test' }] }, false],
  ['messages', 'messages', { tools: [{ name: 'f', input_schema: {} }] }, true],
  ['messages', 'messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, false],
  ['messages', 'messages', { mcp_servers: [] }, false],
  ['generative-content', 'generative-content', { tools: [{ functionDeclarations: [] }] }, true],
  ['generative-content', 'generative-content', { tools: [{ googleSearch: {} }] }, false],
] as const)('isIdempotent of %s at %s with %j is %s', (client, upstream, fields, expected) => {
  const body = Buffer.from(JSON.stringify({ ...PROMPTS, ...fields }));
  const path = client === 'generative-content' ? { model: 'm', stream: false } : undefined;
  expect(isIdempotent(readTextRequest(UPSTREAM_PROTOCOLS[client], body, path), upstream)).toBe(expected);
});
