import type { GenerationRequest, Message } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { deepFrozen } from '../../../test/deep-frozen.ts';
import { compactionRequest } from './compaction-request.ts';

function conversation(messages: Message[], rest: Partial<GenerationRequest> = {}): GenerationRequest {
  return deepFrozen({ protocol: 'responses', model: 'm', stream: true, messages, tools: [], ...rest });
}

const CONVERSATION: Message[] = [
  { role: 'developer', content: [{ type: 'text', text: 'Be brief.' }] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is in a.txt?', cache: {} },
      { type: 'media', kind: 'image', source: { from: 'url', url: 'https://a.test/a.png' }, cache: {} },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: ['hm'], isSummary: true, opaqueToken: { protocol: 'responses', value: 'x' } },
      { type: 'tool-call', callId: 'c1', name: 'read', kind: 'function', arguments: '{"path":"a.txt"}' },
      { type: 'tool-call', callId: 'c2', name: 'run', kind: 'custom', arguments: 'ls' },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool-result', callId: 'c1', kind: 'function', content: [{ type: 'text', text: 'hello' }] },
      { type: 'tool-result', callId: 'c2', kind: 'custom', isError: true, content: [{ type: 'text', text: 'no' }] },
    ],
  },
  { role: 'assistant', content: [{ type: 'foreign', protocol: 'responses', kind: 'web_search_call', raw: {} }] },
];

function textsOf(request: GenerationRequest): string[] {
  return request.messages.map(
    ({ role, content }) =>
      `${role}: ${content.map((block) => (block.type === 'text' ? block.text : block.type)).join(' | ')}`,
  );
}

function effort(reasoning: GenerationRequest['reasoning']): GenerationRequest['reasoning'] {
  return compactionRequest(conversation(CONVERSATION, reasoning ? { reasoning } : {})).reasoning;
}

describe('compactionRequest', () => {
  it('converts calls and results to text, prepends the summary instructions, and ends with the request', () => {
    const [system, ...turns] = textsOf(compactionRequest(conversation(CONVERSATION)));
    expect(system).toMatch(/^system: You write a handoff summary/);
    expect(turns).toEqual([
      'user: [Instructions to the assistant] | Be brief. | [End of instructions] | What is in a.txt? | media',
      'assistant: [Called tool read with: {"path":"a.txt"}] | [Called tool run with: ls]',
      'user: [Result of tool read: hello] | [Error of tool run: no] | Write the handoff summary of the conversation above now.',
    ]);
  });

  it('has no tools, client limits, output format, or cache marks, and enough tokens for reasoning', () => {
    const request = compactionRequest(
      conversation(CONVERSATION, {
        tools: [{ kind: 'function', name: 'read' }],
        toolChoice: { type: 'required' },
        maxOutputTokens: 16,
        temperature: 2,
        stop: ['a'],
        format: { type: 'json' },
        cache: { key: 'k' },
        user: 'u',
      }),
    );
    expect(Object.keys(request).toSorted()).toEqual([
      'maxOutputTokens',
      'messages',
      'model',
      'protocol',
      'stream',
      'tools',
      'user',
    ]);
    expect(request).toMatchObject({ stream: false, tools: [], model: 'm', user: 'u' });
    expect(request.maxOutputTokens).toBeGreaterThanOrEqual(16_000);
    expect(JSON.stringify(request)).not.toContain('"cache"');
  });

  it('lowers the effort of a reasoning model, and sends none if the client sent none', () => {
    expect(effort({ effort: 'max' })).toEqual({ effort: 'low' });
    expect(effort({ visible: 'summary' })).toEqual({ effort: 'low' });
    expect(effort({ enabled: false })).toBeUndefined();
    expect(effort(undefined)).toBeUndefined();
  });

  it('has no consecutive turns of one role and no empty turn', () => {
    const { messages } = compactionRequest(
      conversation([
        { role: 'system', content: [] },
        { role: 'user', content: [{ type: 'text', text: 'a' }] },
        { role: 'user', content: [{ type: 'text', text: '  ' }] },
        { role: 'assistant', content: [{ type: 'text', text: '' }] },
        { role: 'user', content: [{ type: 'text', text: 'b' }] },
      ]),
    );
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect(messages[1]?.content).toHaveLength(3);
  });
});
