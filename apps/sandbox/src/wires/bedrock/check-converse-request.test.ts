import { describe, expect, it } from 'vitest';
import { createSecretStore } from '../../text/secret-store.ts';
import { WireError } from '../../http/wire-error.ts';
import { checkConverseRequest, checkCountTokens, REASONING, REDACTED } from './check-converse-request.ts';

const store = createSecretStore('sk-sandbox');
const MODEL = 'anthropic.claude';
const user = (...content: object[]) => ({ role: 'user', content });
const assistant = (...content: object[]) => ({ role: 'assistant', content });
const text = { text: 'hi' };
const toolUse = (toolUseId: string) => ({ toolUse: { toolUseId, name: 'f', input: {} } });
const toolResult = (toolUseId: string) => ({ toolResult: { toolUseId, content: [{ text: 'ok' }] } });
const toolConfig = { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }] };
const reasoning = { text: 'hm', signature: store.sign(REASONING, MODEL, 'hm') };
const point = { cachePoint: { type: 'default' } };
const document = { document: { format: 'pdf', name: 'a report', source: { bytes: 'AAAA' } } };

function refusal(body: unknown, model = MODEL): string | undefined {
  try {
    checkConverseRequest(body, model, store);
    return undefined;
  } catch (error) {
    if (error instanceof WireError && error.status === 400) return error.message;
    throw error;
  }
}

describe('checkConverseRequest', () => {
  it.each([
    [{ messages: [user(text)] }],
    [{ messages: [user(text), assistant(toolUse('a')), user(toolResult('a'), text)], toolConfig }],
    [{ messages: [user(text, document, point)], system: [text, point] }],
    [{ messages: [user(text), assistant({ reasoningContent: { reasoningText: reasoning } }, text), user(text)] }],
    [
      {
        messages: [
          user(text),
          assistant({ reasoningContent: { redactedContent: store.encrypt(REDACTED, 'hm') } }),
          user(text),
        ],
      },
    ],
  ])('accepts valid requests %#', (body) => {
    expect(refusal(body)).toBeUndefined();
  });

  it.each([
    [{}, 'at least one message'],
    [{ messages: [assistant(text)] }, 'must start with a user message'],
    [{ messages: [user(text), user(text)] }, 'must alternate'],
    [{ messages: [user({ text: ' ' })] }, 'is blank'],
    [{ messages: [user(document)] }, 'A text block is required'],
    [{ messages: [user(text), assistant(toolUse('a')), user(text)], toolConfig }, 'Expected toolResult blocks'],
    [{ messages: [user(text), assistant(toolUse('a'))], toolConfig }, 'Expected toolResult blocks'],
    [{ messages: [user(toolResult('a'))], toolConfig }, 'exceeds the number of toolUse blocks'],
    [{ messages: [user(text), assistant(toolUse('a')), user(toolResult('a'))] }, 'toolConfig field must be defined'],
    [{ messages: [user(text)], toolConfig: { ...toolConfig, toolChoice: { tool: { name: 'g' } } } }, 'tool g'],
    [{ messages: [user(text)], model: 'x' }, "Value at 'model'"],
    [{ messages: [user({ text: 'a', image: {} })] }, "Value at 'messages[0].content[0]"],
    [{ messages: [user(text)], inferenceConfig: { temperature: 2 } }, "Value at 'inferenceConfig.temperature'"],
    [{ messages: [user(...Array.from({ length: 5 }, () => [text, point]).flat())] }, 'A maximum of 4 cache points'],
    [
      {
        messages: [
          user(text),
          assistant({ reasoningContent: { reasoningText: { ...reasoning, text: 'x' } } }),
          user(text),
        ],
      },
      'Invalid `signature`',
    ],
  ])('rejects invalid requests %#', (body, message) => {
    expect(refusal(body)).toContain(message);
  });

  it('knows which models have a cache', () => {
    expect(refusal({ messages: [user(text, point)] }, 'meta.llama3')).toContain('prompt caching');
  });

  it('checks requests that count tokens', () => {
    expect(checkCountTokens({ input: { converse: { messages: [user(text)] } } }, MODEL, store).messages).toHaveLength(
      1,
    );
    expect(() => checkCountTokens({ input: { converse: {} } }, MODEL, store)).toThrow('at least one message');
  });
});
