import type { Loss } from '@sluice/canonical';
import type { ContentBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { describe, expect, it } from 'vitest';
import { createTokenCodec } from '../../text/token-codec.ts';
import { decodeContent } from './decode-block.ts';

const tokenCodec = createTokenCodec('secret');

function decode(...content: readonly (ContentBlockParam | Record<string, unknown>)[]) {
  const losses: Loss[] = [];
  const blocks = decodeContent(content, 'messages[0][content]', { tokenCodec, report: (loss) => losses.push(loss) });
  return { blocks, losses };
}

describe('decodeContent', () => {
  it('reads a string as one block, and omitted content as no blocks', () => {
    const context = { tokenCodec, report: () => undefined };
    expect(decodeContent('a', 'p', context)).toEqual([{ type: 'text', text: 'a' }]);
    expect(decodeContent(null, 'p', context)).toEqual([]);
  });

  it('reads text with cache control and citations', () => {
    const citations = [{ type: 'web_search_result_location', url: 'https://a', title: 'A' }];
    expect(decode({ type: 'text', text: 'a', cache_control: { type: 'ephemeral' }, citations }).blocks).toEqual([
      { type: 'text', text: 'a', cache: {}, citations: [{ url: 'https://a', title: 'A' }] },
    ]);
  });

  it('reads a call with its arguments as JSON', () => {
    expect(decode({ type: 'tool_use', id: 't1', name: 'run', input: { a: 1 } }).blocks).toEqual([
      { type: 'tool-call', callId: 't1', name: 'run', kind: 'function', arguments: '{"a":1}' },
    ]);
  });

  it('reads results: text, blocks, errors, and cache control', () => {
    const source = { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const { blocks } = decode(
      { type: 'tool_result', tool_use_id: 't1', content: 'fine', cache_control: { type: 'ephemeral' } },
      { type: 'tool_result', tool_use_id: 't2', content: [{ type: 'image', source }], is_error: true },
      { type: 'tool_result', tool_use_id: 't3' },
    );
    expect(blocks).toEqual([
      { type: 'tool-result', callId: 't1', kind: 'function', content: [{ type: 'text', text: 'fine' }], cache: {} },
      {
        type: 'tool-result',
        callId: 't2',
        kind: 'function',
        content: [
          { type: 'media', kind: 'image', source: { from: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
        isError: true,
      },
      { type: 'tool-result', callId: 't3', kind: 'function', content: [] },
    ]);
  });

  it('writes tools that a search loaded as text', () => {
    const { blocks, losses } = decode({
      type: 'tool_result',
      tool_use_id: 't',
      content: [
        { type: 'tool_reference', tool_name: 'Read' },
        { type: 'browser_state', tabs: [] },
      ],
    });
    expect(blocks).toMatchObject([{ content: [{ type: 'text', text: 'Tool Read loaded' }] }]);
    expect(losses).toEqual([{ field: 'browser_state', how: 'dropped' }]);
  });

  it("keeps thinking with the vendor's own signature", () => {
    expect(decode({ type: 'thinking', thinking: '', signature: 'sig' }).blocks).toEqual([
      { type: 'reasoning', text: [], isSummary: false, opaqueToken: { protocol: 'messages', value: 'sig' } },
    ]);
  });

  it('unwraps thinking of another vendor', () => {
    const opaqueToken = { protocol: 'responses', account: 'o', model: 'gpt-x', value: 'enc' } as const;
    const wrapped = tokenCodec.wrap(opaqueToken);
    expect(decode({ type: 'thinking', thinking: 'A', signature: wrapped }).blocks).toEqual([
      { type: 'reasoning', text: ['A'], isSummary: false, opaqueToken },
    ]);
    expect(decode({ type: 'redacted_thinking', data: wrapped }).blocks).toEqual([
      { type: 'reasoning', text: [], isSummary: false, opaqueToken },
    ]);
  });

  it('reads thinking without a signature', () => {
    const empty = tokenCodec.wrap({ protocol: 'messages', value: '' });
    const expected = [{ type: 'reasoning', text: ['A'], isSummary: false }];
    expect(decode({ type: 'thinking', thinking: 'A', signature: empty }).blocks).toEqual(expected);
    expect(decode({ type: 'thinking', thinking: 'A', signature: '' }).blocks).toEqual(expected);
    expect(decode({ type: 'thinking', thinking: '' }).blocks).toEqual([]);
  });

  it.each([
    'server_tool_use',
    'web_search_tool_result',
    'web_fetch_tool_result',
    'code_execution_tool_result',
    'bash_code_execution_tool_result',
    'text_editor_code_execution_tool_result',
    'tool_search_tool_result',
    'container_upload',
    'mcp_tool_use',
    'mcp_tool_result',
    'fallback',
    'tool_removal',
    'mcp_tool_listing',
    'something_new',
  ])('keeps %s as a foreign block', (type) => {
    const raw = { type, id: 'x' };
    expect(decode(raw).blocks).toEqual([{ type: 'foreign', protocol: 'messages', kind: type, raw }]);
  });

  it('reads the text of a compaction that has text', () => {
    expect(decode({ type: 'compaction', content: 'They met.' }).blocks).toEqual([
      { type: 'text', text: 'Summary of the conversation so far:\nThey met.' },
    ]);
    expect(decode({ type: 'compaction', content: null }).blocks).toMatchObject([{ type: 'foreign' }]);
  });

  it.each([
    [5, 'messages[0][content][0]'],
    [{ text: 'a' }, 'messages[0][content][0][type]'],
    [{ type: 'text', text: 5 }, 'messages[0][content][0][text]'],
    [{ type: 'tool_use', name: 'a' }, 'messages[0][content][0][id]'],
    [{ type: 'tool_result' }, 'messages[0][content][0][tool_use_id]'],
    [{ type: 'redacted_thinking' }, 'messages[0][content][0][data]'],
    [{ type: 'image' }, 'messages[0][content][0][source]'],
    [
      { type: 'tool_result', tool_use_id: 't', content: [{ type: 'tool_use', id: 'a', name: 'b' }] },
      'messages[0][content][0][content]',
    ],
  ])('rejects %j by its path', (block, param) => {
    expect(() => decode(block as Record<string, unknown>)).toThrow(
      expect.objectContaining({ code: 'invalid_request', param }),
    );
  });
});
