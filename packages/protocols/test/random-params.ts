import type {
  ContentBlock,
  GenerationRequest,
  MediaBlock,
  Message,
  TextBlock,
  TextProtocolName,
  Tool,
} from '@sluice/canonical';
import fc from 'fast-check';

/** Words with different UTF-8 lengths, quotes, and line endings. */
const word = fc.constantFrom(
  'Hi',
  'grüß',
  '你好',
  '👋🏽',
  'a "quoted" word',
  'two\nlines',
  '{"json":1}',
  'data: x',
  '\\',
);
/** Generates text that is not blank. */
export const nonBlankText = fc.array(word, { minLength: 1, maxLength: 4 }).map((list) => list.join(' '));
/** Generates a call's arguments. */
export const args = fc.dictionary(fc.constantFrom('a', 'b', 'ü'), fc.oneof(nonBlankText, fc.integer(), fc.boolean()), {
  maxKeys: 3,
});

const text = nonBlankText.map((content): TextBlock => ({ type: 'text', text: content }));
const IMAGE: MediaBlock = {
  type: 'media',
  kind: 'image',
  source: { from: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
};
const TOOLS: Tool[] = [
  {
    kind: 'function',
    name: 'go',
    description: 'Goes.',
    schema: { type: 'object', properties: { a: { type: 'string' } } },
  },
  { kind: 'function', name: 'stay', schema: { type: 'object', properties: {} } },
];

interface Call {
  name: string;
  input: Record<string, unknown>;
  result: string;
  isError: boolean;
}

/** Generates a user message, the model's response, and the results of its calls. */
const step = fc.record({
  userContent: fc.array(fc.oneof(text, fc.constant(IMAGE)), { minLength: 1, maxLength: 2 }),
  response: text,
  calls: fc.array(
    fc.record<Call>({ name: fc.constantFrom('go', 'stay'), input: args, result: nonBlankText, isError: fc.boolean() }),
    { maxLength: 3 },
  ),
});

const settings = fc.record(
  {
    maxOutputTokens: fc.integer({ min: 16, max: 30_000 }),
    temperature: fc.constantFrom(0, 0.5, 1, 2),
    topP: fc.constantFrom(0.1, 0.9),
    topK: fc.integer({ min: 1, max: 40 }),
    seed: fc.nat(100),
    stop: fc.constant(['END', '你']),
    user: nonBlankText,
    parallelToolCalls: fc.boolean(),
    toolChoice: fc.constantFrom('auto', 'none', 'required').map((type) => ({ type })),
  },
  { requiredKeys: [] },
);

const conversation = fc.record({
  before: fc.array(nonBlankText, { maxLength: 1 }),
  steps: fc.array(step, { minLength: 1, maxLength: 3 }),
  last: nonBlankText,
});

/** Generates a request that every protocol can encode either without losses or with the same losses each time. */
export function randomRequest(protocol: TextProtocolName): fc.Arbitrary<GenerationRequest> {
  return fc.tuple(conversation, settings).map(([{ before, steps, last }, params]) => {
    const messages: Message[] = before.map((content) => messageOf('system', content));
    for (const [index, { userContent, response, calls }] of steps.entries()) {
      messages.push({ role: 'user', content: userContent });
      messages.push({
        role: 'assistant',
        content: [response, ...calls.map((call, at) => callBlock(call, `call_${index}_${at}`))],
      });
      if (calls.length > 0) {
        messages.push({ role: 'user', content: calls.map((call, at) => resultBlock(call, `call_${index}_${at}`)) });
      }
    }
    messages.push(messageOf('user', last));
    return Object.assign(
      { protocol, model: 'client-model', stream: false, messages, tools: TOOLS },
      params,
    ) as GenerationRequest; // The cast is needed because fast-check's types allow undefined fields.
  });
}

function messageOf(role: Message['role'], content: string): Message {
  return { role, content: [{ type: 'text', text: content }] };
}

function callBlock({ name, input }: Call, callId: string): ContentBlock {
  return { type: 'tool-call', callId, name, kind: 'function', arguments: JSON.stringify(input) };
}

function resultBlock({ name, result, isError }: Call, callId: string): ContentBlock {
  const content: TextBlock[] = [{ type: 'text', text: result }];
  return { type: 'tool-result', callId, name, kind: 'function', content, ...(isError && { isError }) };
}
