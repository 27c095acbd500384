import type { Loss } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { decodeContents, decodeInstruction } from './decode-contents.ts';

const context = { tokenCodec: createTokenCodec('secret'), report: () => undefined };

describe('decodeContents', () => {
  it('matches calls without an id to their responses', () => {
    const messages = decodeContents(
      [
        { parts: [{ text: 'weather?' }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'get', args: { c: 1 } } }, { functionCall: { name: 'get' } }],
        },
        {
          role: 'function',
          parts: [
            { functionResponse: { name: 'get', response: { output: '1' } } },
            { functionResponse: { name: 'get', response: { output: '2' } } },
          ],
        },
      ],
      context,
    );
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const ids = messages.slice(1).map(({ content }) => content.map((block) => 'callId' in block && block.callId));
    expect(ids).toEqual([
      ['call_0_get', 'call_1_get'],
      ['call_0_get', 'call_1_get'],
    ]);
  });

  it('joins a streamed turn that a client stored as one content per chunk', () => {
    const messages = decodeContents(
      [
        { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
        { role: 'model', parts: [{ text: 'one ' }] },
        { role: 'model', parts: [{ text: 'two' }] },
        { role: 'model', parts: [{ text: '', thoughtSignature: 'AA==' }] },
      ],
      context,
    );
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'one two', opaqueToken: { protocol: 'generative-content', value: 'AA==' } }],
      },
    ]);
  });

  it('accepts a single part outside an array, as the API does', () => {
    expect(decodeContents([{ parts: { text: 'hi' } }], context)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
  });

  it('keeps an empty user turn', () => {
    expect(decodeContents([{ role: 'user', parts: [{ text: '' }] }], context)).toHaveLength(1);
  });

  it.each([
    [['x'], 'contents[0]'],
    [[{ role: 'robot', parts: [] }], 'contents[0][role]'],
    [[{ parts: [{ text: 'a' }, 'b'] }], 'contents[0][parts][1]'],
    [[{ parts: 'hi' }], 'contents[0][parts]'],
  ])('reports the invalid field of %j', (contents, param) => {
    expect(() => decodeContents(contents, context)).toThrow(expect.objectContaining({ param }));
  });
});

describe('decodeInstruction', () => {
  it.each([
    'Be brief.',
    { parts: [{ text: 'Be brief.' }] },
    { role: 'user', parts: { text: 'Be brief.' } },
    { text: 'Be brief.' },
  ])('reads %j', (instruction) => {
    expect(decodeInstruction(instruction, () => undefined)).toEqual([
      { role: 'system', content: [{ type: 'text', text: 'Be brief.' }] },
    ]);
  });

  it('reports instruction parts that are not text', () => {
    const losses: Loss[] = [];
    const instruction = { parts: [{ inlineData: { data: 'AAAA' } }] };
    expect(decodeInstruction(instruction, (loss) => losses.push(loss))).toEqual([]);
    expect(losses).toEqual([{ field: 'systemInstruction.parts.inlineData', how: 'dropped' }]);
  });
});
