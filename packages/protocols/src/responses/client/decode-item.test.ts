import { describe, expect, it } from 'vitest';
import { decode, messagesOf, call, user, update } from '../../../test/decoded-responses.ts';

describe('input items', () => {
  it('accepts messages with and without a type, long and short', () => {
    expect(
      messagesOf([
        { role: 'developer', content: 'A' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'B' }] },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          phase: 'final_answer',
          content: [
            { type: 'output_text', text: 'C', annotations: [], logprobs: [] },
            { type: 'refusal', refusal: 'D' },
          ],
        },
        { role: 'system', content: 'E' },
      ]),
    ).toEqual([
      { role: 'developer', content: [{ type: 'text', text: 'A' }] },
      { role: 'user', content: [{ type: 'text', text: 'B' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'C' },
          { type: 'refusal', text: 'D' },
        ],
      },
      { role: 'system', content: [{ type: 'text', text: 'E' }] },
    ]);
  });

  it('merges an assistant’s reasoning, text, and calls into one turn, and results into another', () => {
    expect(
      messagesOf([
        user,
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm' }], content: null },
        { role: 'assistant', content: 'Let me see.' },
        call,
        { type: 'custom_tool_call', call_id: 'call_2', name: 'exec', namespace: 'n', input: 'ls' },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: 'a.txt' },
        { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: [{ type: 'input_text', text: 'ok' }] },
        user,
      ]),
    ).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: ['Hm'], isSummary: true, id: 'rs_1' },
          { type: 'text', text: 'Let me see.' },
          { type: 'tool-call', callId: 'call_1', name: 'f', kind: 'function', arguments: '{"a":1}' },
          { type: 'tool-call', callId: 'call_2', name: 'n__exec', kind: 'custom', arguments: 'ls' },
        ],
      },
      {
        role: 'user',
        content: [
          {
            type: 'tool-result',
            callId: 'call_2',
            name: 'n__exec',
            kind: 'custom',
            content: [{ type: 'text', text: 'a.txt' }],
          },
          {
            type: 'tool-result',
            callId: 'call_1',
            name: 'f',
            kind: 'function',
            content: [{ type: 'text', text: 'ok' }],
          },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
    ]);
  });

  it('assigns a result without an id to the oldest open call, of its name if it has one', () => {
    const other = { ...call, call_id: 'call_2', name: 'g' };
    const [, results] = messagesOf([
      call,
      other,
      { type: 'function_call_output', name: 'g', output: '2' },
      { type: 'function_call_output', output: '1' },
    ]);
    expect(results?.content).toMatchObject([{ callId: 'call_2' }, { callId: 'call_1' }]);
  });

  it('accepts images, files, and audio', () => {
    const [message] = messagesOf([
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'high' },
          { type: 'input_image', image_url: 'https://a.example/x.png', detail: 'auto' },
          { type: 'input_image', file_id: 'file_1' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
          { type: 'input_file', filename: 'a.csv', file_data: 'YSxi' },
          { type: 'input_file', file_url: 'https://a.example/x.pdf' },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'mp3' } },
        ],
      },
    ]);
    expect(message?.content).toEqual([
      {
        type: 'media',
        kind: 'image',
        source: { from: 'base64', mediaType: 'image/png', data: 'iVBORw0KGgo=' },
        detail: 'high',
      },
      { type: 'media', kind: 'image', source: { from: 'url', url: 'https://a.example/x.png' } },
      { type: 'media', kind: 'image', source: { from: 'file', protocol: 'responses', id: 'file_1' } },
      {
        type: 'media',
        kind: 'document',
        source: { from: 'base64', mediaType: 'application/pdf', data: 'JVBERi0=' },
        name: 'a.pdf',
      },
      {
        type: 'media',
        kind: 'document',
        source: { from: 'base64', mediaType: 'text/csv', data: 'YSxi' },
        name: 'a.csv',
      },
      { type: 'media', kind: 'document', source: { from: 'url', url: 'https://a.example/x.pdf' } },
      { type: 'media', kind: 'audio', source: { from: 'base64', mediaType: 'audio/mpeg', data: 'AAAA' } },
    ]);
  });

  it('preserves images inside a tool’s result', () => {
    const output = [{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'auto' }];
    const [, results] = messagesOf([call, { type: 'function_call_output', call_id: 'call_1', output }]);
    expect(results?.content).toMatchObject([{ content: [{ type: 'media', kind: 'image' }] }]);
  });

  it('preserves hosted items for their own protocol', () => {
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed' };
    const output = { type: 'computer_call_output', call_id: 'c', output: {} };
    expect(messagesOf([search, output])).toEqual([
      {
        role: 'assistant',
        content: [{ type: 'foreign', protocol: 'responses', kind: 'web_search_call', raw: search }],
      },
      {
        role: 'user',
        content: [{ type: 'foreign', protocol: 'responses', kind: 'computer_call_output', raw: output }],
      },
    ]);
  });

  it('uses the last configuration update', () => {
    const { request } = decode({
      input: [
        update('low'),
        user,
        update('high'),
        { type: 'configuration_update', text: { format: { type: 'json_object' } } },
      ],
      reasoning: { effort: 'medium', summary: 'auto' },
    });
    expect(request).toMatchObject({ reasoning: { effort: 'high', visible: 'summary' }, format: { type: 'json' } });
  });

  it('drops and reports references to unknown reasoning', () => {
    const { request, losses } = decode({ input: [user, { type: 'item_reference', id: 'rs_1' }, { id: 'rs_2' }] });
    expect(request.messages).toHaveLength(1);
    expect(losses).toEqual([
      { field: 'item_reference', how: 'dropped' },
      { field: 'item_reference', how: 'dropped' },
    ]);
  });

  it('rejects unresolved references and compactions', () => {
    expect(() => decode({ input: [user, { type: null, id: 'msg_1' }] })).toThrow(
      expect.objectContaining({ code: 'item_not_found', param: 'input[1]' }),
    );
    expect(() => decode({ input: [{ type: 'compaction', encrypted_content: 'x' }] })).toThrow(
      expect.objectContaining({ code: 'invalid_encrypted_content', param: 'input[0]' }),
    );
  });
});
