import { type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect } from './clients/collect.ts';
import { UPSTREAMS } from './pairs.ts';
import { KEY, startTextStack, type TextStack } from './text-stack.ts';

let stack: TextStack;
beforeAll(async () => {
  stack = await startTextStack();
});
afterAll(() => stack.close());

describe.each(UPSTREAMS)('a chat of @google/genai over $model', ({ model }) => {
  const tools = [
    { functionDeclarations: [{ name: 'look', parametersJsonSchema: { type: 'object', properties: {} } }] },
  ];

  it('continues after tool calls with the SDK’s history', async () => {
    const ai = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: stack.origin } });
    const chat = ai.chats.create({ model, config: { tools } });
    const called = await chat.sendMessage({ message: '[think] [tool:look] around' });
    const [call] = called.functionCalls ?? [];
    expect(call?.name).toBe('look');
    const response = { output: 'all is well' };
    const functionResponse = { ...(call?.id !== undefined && { id: call.id }), name: 'look', response };
    const reply = await chat.sendMessage({ message: { functionResponse } });
    expect(reply.text).toBe('The tool look answered: all is well');
    expect((await chat.sendMessage({ message: 'thanks' })).text).toBe('You said: thanks');
  });

  it('continues after tool calls in a stream', async () => {
    const ai = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: stack.origin } });
    const chat = ai.chats.create({ model, config: { tools, thinkingConfig: { includeThoughts: true } } });
    let id: string | undefined;
    for await (const chunk of await chat.sendMessageStream({ message: '[think] [tool:look] around' })) {
      id ??= chunk.functionCalls?.[0]?.id;
    }
    const response = { output: 'all is well' };
    const functionResponse = { ...(id !== undefined && { id }), name: 'look', response };
    const chunks = await collect(await chat.sendMessageStream({ message: { functionResponse } }));
    expect(chunks.map(({ text }) => text ?? '').join('')).toBe('The tool look answered: all is well');
  });

  // The SDK omits a turn from its history if one of the turn's chunks has no parts.
  it.each(['a b c', '[think] a b c', '[long:40]', '[think] [tool:look]'])(
    'stores the streamed turn (%s)',
    async (message) => {
      const ai = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: stack.origin } });
      const chat = ai.chats.create({ model, config: { tools, thinkingConfig: { includeThoughts: true } } });
      const chunks = await collect(await chat.sendMessageStream({ message }));
      const [user, ...modelTurns] = chat.getHistory(true);
      expect(user?.role).toBe('user');
      expect(modelTurns.flatMap(({ parts }) => parts)).toEqual(chunks.flatMap(partsOf));
      expect(modelTurns.length).toBeGreaterThan(0);
    },
  );
});

function partsOf({ candidates }: GenerateContentResponse): Part[] {
  return candidates?.[0]?.content?.parts ?? [];
}
