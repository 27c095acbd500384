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
const says = (...content: object[]) => ({ role: 'assistant', content });
const gives = (...content: object[]) => ({ role: 'user', content });
const text = (words: string) => ({ type: 'text', text: words });
const thinking = { type: 'thinking', thinking: 'hm', signature: secretStore.sign(THINKING, 'm', 'hm') };
const redacted = { type: 'redacted_thinking', data: secretStore.encrypt(REDACTED, 'hm') };
const budget = { thinking: { type: 'enabled', budget_tokens: 1024 } };
const ask = (messages: unknown[], more: object = {}) => ({ model: 'm', max_tokens: 2000, messages, ...more });

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
    [ask([user, user])],
    [ask([user, { role: 'system', content: 'be brief' }], { system: [text('x')] })],
    [ask([user, says(...use('a', 'b')), gives(...results('b', 'a'), text('and?'))], { tools })],
    [ask([user, says(...use('a')), says(...use('b')), gives(...results('a')), gives(...results('b'))], { tools })],
    [ask([user, says(thinking, ...use('a')), gives(...results('a'))], { tools, ...budget })],
    [ask([user, says(redacted, ...use('a')), gives(...results('a'))], { tools, ...budget })],
    [ask([user, says(...use('a')), gives(...results('a'))], { tools, thinking: { type: 'adaptive' } })],
    [ask([user], { tools: [{ type: 'bash_20250124', name: 'bash' }] })],
  ])('accepts what Anthropic accepts %#', (body) => {
    expect(refusal(body)).toBeUndefined();
  });

  it.each([
    [{ model: 'm', messages: [user] }, 'max_tokens: Field required'],
    [ask([]), 'messages: at least one message is required'],
    [ask([user], { stop: 'x' }), 'stop: Extra inputs are not permitted'],
    [ask([gives({ ...text('x'), foo: 1 })]), 'messages.0.content.0.text.foo: Extra inputs are not permitted'],
    [
      ask([user], { tools: [{ ...tools[0], parameters: {} }] }),
      'tools.0.custom.parameters: Extra inputs are not permitted',
    ],
    [ask([user], { tools: [{ name: 'w' }] }), 'tools.0.custom.input_schema: Field required'],
    [ask([user], { tools: [{ name: 'w', input_schema: {} }] }), 'tools.0.custom.input_schema.type: Field required'],
    [
      ask([user], { tools: [{ name: 'a.b', input_schema: { type: 'object' } }] }),
      "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    ],
    [ask([user], { tools: [...tools, ...tools] }), 'tools: Tool names must be unique.'],
    [ask([{ role: 'tool', content: '' }]), "messages.0.role: Input should be 'user', 'assistant' or 'system'"],
    [ask([says(text('x'))]), 'messages: first message must use the "user" role'],
    [ask([gives(text(''))]), 'messages: text content blocks must be non-empty'],
    [
      ask([gives()]),
      'messages.0: all messages must have non-empty content except for the optional final assistant message',
    ],
    [ask([user, says(text('x '))]), 'messages: final assistant content cannot end with trailing whitespace'],
    [ask([user], { temperature: 1.5 }), 'temperature: range: 0..1'],
    [ask([user], { system: [text('')] }), 'system: text content blocks must be non-empty'],
    [
      ask([user, says(...use('a.b'))]),
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    ],
    [
      ask([user, says(...use('a'))]),
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a.',
    ],
    [
      ask([user, says(...use('a', 'b')), gives(...results('a'))]),
      'immediately after: b. Each `tool_use` block must have',
    ],
    [ask([user, says(...use('a')), gives(text('x'), ...results('a'))]), '`tool_use` ids were found without'],
    [
      ask([user, gives(...results('a'))]),
      'messages.1.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.',
    ],
    [ask([user, says(...use('a')), gives(...results('a', 'a'))]), 'each tool_use must have a single result'],
    [ask([user, says(...use('a', 'a')), gives(...results('a'))]), '`tool_use` ids must be unique'],
    [
      ask([user, says({ ...thinking, thinking: 'changed' }), user]),
      'messages.1.content.0: Invalid `signature` in `thinking` block',
    ],
    [{ ...ask([user, says(thinking), user]), model: 'other' }, 'Invalid `signature` in `thinking` block'],
    [ask([user, says({ ...redacted, data: 'AAAA' }), user]), 'Invalid `data` in `redacted_thinking` block'],
    [
      ask([user, says(...use('a')), gives(...results('a'))], { tools, ...budget }),
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
    ],
    [
      ask([user], { thinking: { type: 'enabled', budget_tokens: 100 } }),
      'thinking.budget_tokens: Input should be greater than or equal to 1024',
    ],
    [
      ask([user], { thinking: { type: 'enabled', budget_tokens: 2000 } }),
      '`max_tokens` must be greater than `thinking.budget_tokens`.',
    ],
    [ask([user], { ...budget, temperature: 0.5 }), '`temperature` may only be set to 1 when thinking is enabled'],
    [
      ask([user], { ...budget, tools, tool_choice: { type: 'any' } }),
      'Thinking may not be enabled when tool_choice forces tool use.',
    ],
    [ask([user], { tool_choice: { type: 'auto' } }), 'tool_choice may only be specified while providing tools'],
    [ask([user], { tools, tool_choice: { type: 'tool', name: 'v' } }), "Tool 'v' not found in provided tools"],
    [ask([user], { stop_sequences: [' '] }), 'each stop sequence must contain non-whitespace'],
    [
      ask([user], { output_config: { format: { type: 'json_schema', schema: { type: 'object' } } } }),
      "For 'object' type, 'additionalProperties' must be explicitly set to false",
    ],
    [{ ...ask([user], { temperature: 0.5 }), model: 'claude-opus-5-5' }, 'temperature: `temperature` is not supported'],
    [
      { ...ask([user], { tools, tool_choice: { type: 'any' } }), model: 'claude-sonnet-5-5' },
      'forced tool use is not supported by this model',
    ],
    [
      ask([gives({ type: 'image', source: { type: 'base64', media_type: 'image/bmp', data: 'AAAA' } })]),
      "messages.0.content.0.image.source.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
    ],
    [
      ask([gives(...Array.from({ length: 5 }, () => ({ ...text('x'), cache_control: { type: 'ephemeral' } })))]),
      'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    ],
  ])('rejects in Anthropic’s words %#', (body, message) => {
    expect(refusal(body)).toContain(message);
  });

  it('counts without max_tokens, and rejects what only a generation takes', () => {
    expect(refusal({ model: 'm', messages: [user] }, checkCountRequest)).toBeUndefined();
    expect(refusal(ask([user]), checkCountRequest)).toBe('max_tokens: Extra inputs are not permitted');
  });
});
