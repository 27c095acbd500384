import { describe, expect, it } from 'vitest';
import { createSecretStore } from '../../text/secret-store.ts';
import { WireError } from '../../http/wire-error.ts';
import { checkCountRequest, checkMessagesRequest } from './check-messages-request.ts';
import { REDACTED, THINKING } from './check-turns.ts';

const secretStore = createSecretStore('sk-sandbox');
const user = { role: 'user', content: 'hi' };
const tools = [{ name: 'w', input_schema: { type: 'object' } }];
const use = (...ids: string[]) => ids.map((id) => ({ type: 'tool_use', id, name: 'w', input: {} }));
const results = (...ids: string[]) => ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'sunny' }));
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const userMessage = (...content: object[]) => ({ role: 'user', content });
const text = (words: string) => ({ type: 'text', text: words });
const thinking = { type: 'thinking', thinking: 'hm', signature: secretStore.sign(THINKING, 'm', 'hm') };
const redacted = { type: 'redacted_thinking', data: secretStore.encrypt(REDACTED, 'hm') };
const budget = { thinking: { type: 'enabled', budget_tokens: 1024 } };
const request = (messages: unknown[], more: object = {}) => ({ model: 'm', max_tokens: 2000, messages, ...more });

function refusal(body: unknown, check = checkMessagesRequest): string | undefined {
  try {
    check(body, secretStore);
    return undefined;
  } catch (error) {
    if (error instanceof WireError && error.status === 400) return error.message;
    throw error;
  }
}

describe('checkMessagesRequest', () => {
  it.each([
    [request([user, user])],
    [request([user, { role: 'system', content: 'be brief' }], { system: [text('x')] })],
    [request([user, assistant(...use('a', 'b')), userMessage(...results('b', 'a'), text('and?'))], { tools })],
    [
      request(
        [
          user,
          assistant(...use('a')),
          assistant(...use('b')),
          userMessage(...results('a')),
          userMessage(...results('b')),
        ],
        { tools },
      ),
    ],
    [request([user, assistant(thinking, ...use('a')), userMessage(...results('a'))], { tools, ...budget })],
    [request([user, assistant(redacted, ...use('a')), userMessage(...results('a'))], { tools, ...budget })],
    [request([user, assistant(...use('a')), userMessage(...results('a'))], { tools, thinking: { type: 'adaptive' } })],
    [request([user], { tools: [{ type: 'bash_20250124', name: 'bash' }] })],
    [request([user], { tools: [{ type: 'mcp_toolset', mcp_server_name: 'one' }] })],
    [request([user], { tools: [{ type: 'browser_toolset_20260801' }] })],
    [request([user, { role: 'system', clear_at: 'never', output_config: { effort: 'low' } }])],
    [request([user, assistant({ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }), user])],
    [request([user], { thread: null, fallbacks: [{ model: 'other' }], billing_policy: { type: 'billing_policy' } })],
  ])('accepts valid requests %#', (body) => {
    expect(refusal(body)).toBeUndefined();
  });

  it.each([
    [{ model: 'm', messages: [user] }, 'max_tokens: Field required'],
    [request([]), 'messages: at least one message is required'],
    [request([user], { thread: { type: 'create' } }), 'thread: message threads are not supported for this request'],
    [request([user], { stop: 'x' }), 'stop: Extra inputs are not permitted'],
    [request([userMessage({ ...text('x'), foo: 1 })]), 'messages.0.content.0.text.foo: Extra inputs are not permitted'],
    [
      request([user], { tools: [{ ...tools[0], parameters: {} }] }),
      'tools.0.custom.parameters: Extra inputs are not permitted',
    ],
    [request([user], { tools: [{ name: 'w' }] }), 'tools.0.custom.input_schema: Field required'],
    [request([user], { tools: [{ name: 'w', input_schema: {} }] }), 'tools.0.custom.input_schema.type: Field required'],
    [
      request([user], { tools: [{ name: 'a.b', input_schema: { type: 'object' } }] }),
      "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ],
    [request([user], { tools: [...tools, ...tools] }), 'tools: Tool names must be unique.'],
    [request([{ role: 'tool', content: '' }]), "messages.0.role: Input should be 'user', 'assistant' or 'system'"],
    [request([assistant(text('x'))]), 'messages: first message must use the "user" role'],
    [request([userMessage(text(''))]), 'messages: text content blocks must be non-empty'],
    [
      request([userMessage()]),
      'messages.0: all messages must have non-empty content except for the optional final assistant message',
    ],
    [request([user, assistant(text('x '))]), 'messages: final assistant content cannot end with trailing whitespace'],
    [request([user], { temperature: 1.5 }), 'temperature: range: 0..1'],
    [request([user], { system: [text('')] }), 'system: text content blocks must be non-empty'],
    [
      request([user, assistant(...use('a.b'))]),
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    [
      request([user, assistant(...use('a'))]),
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a.',
    ],
    [
      request([user, assistant(...use('a', 'b')), userMessage(...results('a'))]),
      'immediately after: b. Each `tool_use` block must have',
    ],
    [
      request([user, assistant(...use('a')), userMessage(text('x'), ...results('a'))]),
      '`tool_use` ids were found without',
    ],
    [
      request([user, userMessage(...results('a'))]),
      'messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.',
    ],
    [
      request([user, assistant(...use('a')), userMessage(...results('a', 'a'))]),
      'each tool_use must have a single result',
    ],
    [request([user, assistant(...use('a', 'a')), userMessage(...results('a'))]), '`tool_use` ids must be unique'],
    [
      request([user, assistant({ ...thinking, thinking: 'changed' }), user]),
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    [{ ...request([user, assistant(thinking), user]), model: 'other' }, 'Invalid `signature` in `thinking` block'],
    [request([user, assistant({ ...redacted, data: 'AAAA' }), user]), 'Invalid `data` in `redacted_thinking` block'],
    [
      request([user, assistant(...use('a')), userMessage(...results('a'))], { tools, ...budget }),
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
    ],
    [
      request([user], { thinking: { type: 'enabled', budget_tokens: 100 } }),
      'thinking.budget_tokens: Input should be greater than or equal to 1024',
    ],
    [
      request([user], { thinking: { type: 'enabled', budget_tokens: 2000 } }),
      '`max_tokens` must be greater than `thinking.budget_tokens`.',
    ],
    [request([user], { ...budget, temperature: 0.5 }), '`temperature` may only be set to 1 when thinking is enabled'],
    [
      request([user], { ...budget, tools, tool_choice: { type: 'any' } }),
      'Thinking may not be enabled when tool_choice forces tool use.',
    ],
    [request([user], { tool_choice: { type: 'auto' } }), 'tool_choice may only be specified while providing tools'],
    [request([user], { tools, tool_choice: { type: 'tool', name: 'v' } }), "Tool 'v' not found in provided tools"],
    [request([user], { stop_sequences: [' '] }), 'each stop sequence must contain non-whitespace'],
    [
      request([user], { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }),
      "For 'object' type, 'additionalProperties' must be explicitly set to false",
    ],
    [
      { ...request([user], { temperature: 0.5 }), model: 'claude-opus-5-5' },
      'temperature: `temperature` is not supported',
    ],
    [
      { ...request([user], { tools, tool_choice: { type: 'any' } }), model: 'claude-sonnet-5-5' },
      'forced tool use is not supported by this model',
    ],
    [
      request([userMessage({ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'AAAA' } })]),
      "messages.0.content.0.image.source.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ],
    [
      request([
        userMessage(...Array.from({ length: 5 }, () => ({ ...text('x'), cache_control: { type: 'ephemeral' } }))),
      ]),
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
  ])('rejects with Anthropic’s messages %#', (body, message) => {
    expect(refusal(body)).toContain(message);
  });

  it('counts without max_tokens, and rejects fields that only a generation accepts', () => {
    expect(refusal({ model: 'm', messages: [user] }, checkCountRequest)).toBeUndefined();
    expect(refusal(request([user]), checkCountRequest)).toBe('max_tokens: Extra inputs are not permitted');
  });
});
