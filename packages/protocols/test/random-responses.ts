import type { BlockHead, ContentBlock, Generation, StreamEvent } from '@sluice/canonical';
import fc from 'fast-check';
import { args, nonBlankText } from './random-params.ts';

/** Generates a complete response with any combination of reasoning, text, and calls. */
export const randomResponse: fc.Arbitrary<Generation> = fc
  .record({
    thought: fc.option(nonBlankText, { nil: undefined }),
    text: fc.option(nonBlankText, { nil: undefined }),
    calls: fc.array(fc.record({ name: fc.constantFrom('go', 'stay'), params: args }), { maxLength: 3 }),
    isCut: fc.boolean(),
    input: fc.nat(1_000),
    cached: fc.nat(100),
    output: fc.nat(1_000),
  })
  .map(({ thought, text, calls, isCut, input, cached, output }) => {
    const content: ContentBlock[] = [
      ...(thought === undefined ? [] : [{ type: 'reasoning' as const, text: [thought], isSummary: true }]),
      ...(text === undefined ? [] : [{ type: 'text' as const, text: text }]),
      ...calls.map(({ name, params }, at) => ({
        type: 'tool-call' as const,
        callId: `call_${at}`,
        name,
        kind: 'function' as const,
        arguments: JSON.stringify(params),
      })),
    ];
    const finish = isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
    return {
      id: 'answer_1',
      model: 'vendor-model',
      choices: [{ content, finish }],
      usage: {
        inputTokens: input + cached,
        outputTokens: output,
        cachedTokens: cached,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      },
    };
  });

/** Converts a response to stream events, with texts in chunks of the given length. */
export function asEvents({ id, model, choices, usage }: Generation, chunkLength: number): StreamEvent[] {
  return [
    { type: 'start', id, model },
    ...choices.flatMap(({ content }, choice) => content.flatMap((block) => blockEvents(block, choice, chunkLength))),
    ...choices.map(({ finish }, choice): StreamEvent => ({ type: 'finish', choice, finish })),
    ...(usage ? [{ type: 'usage' as const, usage }] : []),
    { type: 'end' },
  ];
}

function blockEvents(block: ContentBlock, choice: number, chunkLength: number): StreamEvent[] {
  const deltas = chunks(textOf(block), chunkLength).map((text): StreamEvent => ({ type: 'delta', choice, text }));
  return [{ type: 'block-start', choice, head: headOf(block) }, ...deltas, { type: 'block-end', choice, block }];
}

function headOf(block: ContentBlock): BlockHead {
  switch (block.type) {
    case 'reasoning':
      return { type: 'reasoning', isSummary: block.isSummary };
    case 'tool-call':
      return { type: 'tool-call', callId: block.callId, name: block.name, kind: block.kind };
    case 'text':
    case 'refusal':
    case 'media':
    case 'foreign':
      return { type: block.type };
    case 'tool-result':
      throw new Error('a response contains no results');
  }
}

function textOf(block: ContentBlock): string {
  if (block.type === 'reasoning') return block.text.join('\n\n');
  if (block.type === 'tool-call') return block.arguments;
  return block.type === 'text' ? block.text : '';
}

/** Never splits a character, as vendors never do. */
function chunks(text: string, length: number): string[] {
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / length) }, (_, at) =>
    letters.slice(at * length, (at + 1) * length).join(''),
  );
}
