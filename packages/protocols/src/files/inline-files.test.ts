import { describe, expect, it } from 'vitest';
import { fileReferences, type InlineFile, inlineFiles } from './inline-files.ts';

const ID = `file-${'0'.repeat(24)}`;
const id = (digit: number) => `${ID}${digit}`;
const data = Buffer.from('hello').toString('base64');
const FILES: Record<string, InlineFile> = {
  [id(1)]: { filename: 'a.pdf', mediaType: 'application/pdf', data },
  [id(2)]: { filename: 'a.png', mediaType: 'image/png', data },
  [id(3)]: { filename: 'a.txt', mediaType: 'text/plain', data },
  [id(4)]: { filename: 'a.mp3', mediaType: 'audio/mpeg', data },
};
const files = new Map(Object.entries(FILES));
const url = (mediaType: string) => `data:${mediaType};base64,${data}`;

function chatPart(file_id: string) {
  return { type: 'file', file: { file_id } };
}

function block(type: string, file_id: string) {
  return { type, source: { type: 'file', file_id }, title: 't' };
}

describe('inlineFiles', () => {
  it('replaces files of chat completions', () => {
    const content = [
      chatPart(id(1)),
      chatPart(id(2)),
      chatPart(id(4)),
      chatPart('file-of-vendor'),
      { type: 'text', text: 'x' },
    ];
    const body = { model: 'm', messages: [{ role: 'user', content }] };
    expect(fileReferences('chat-completions', body)).toEqual([
      { id: id(1), param: 'messages[0][content][0]' },
      { id: id(2), param: 'messages[0][content][1]' },
      { id: id(4), param: 'messages[0][content][2]' },
    ]);
    expect(inlineFiles('chat-completions', body, files)).toEqual({
      model: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'file', file: { filename: 'a.pdf', file_data: url('application/pdf') } },
            { type: 'image_url', image_url: { url: url('image/png') } },
            { type: 'input_audio', input_audio: { data, format: 'mp3' } },
            chatPart('file-of-vendor'),
            { type: 'text', text: 'x' },
          ],
        },
      ],
    });
  });

  it('replaces files of responses, also in results of tools', () => {
    const content = [
      { type: 'input_file', file_id: id(1) },
      { type: 'input_image', file_id: id(2), detail: 'low' },
    ];
    const inlined = [
      { type: 'input_file', filename: 'a.pdf', file_data: url('application/pdf') },
      { type: 'input_image', image_url: url('image/png'), detail: 'low' },
    ];
    const input = [
      { role: 'user', content },
      { type: 'function_call_output', call_id: 'c', output: content },
    ];
    expect(inlineFiles('responses', { input }, files)).toEqual({
      input: [
        { role: 'user', content: inlined },
        { type: 'function_call_output', call_id: 'c', output: inlined },
      ],
    });
  });

  it('replaces files of messages, and sends text as text', () => {
    const content = [block('document', id(1)), block('image', id(2)), block('document', id(3))];
    expect(inlineFiles('messages', { messages: [{ role: 'user', content }] }, files)).toEqual({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, title: 't' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data }, title: 't' },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'hello' }, title: 't' },
          ],
        },
      ],
    });
  });

  it('replaces files of generated content, whatever the host of the URI', () => {
    const digits = id(1).slice('file-'.length);
    const uris = [`files/${digits}`, `https://gateway.example/v1beta/files/${digits}`];
    const parts = [
      ...uris.map((fileUri) => ({ fileData: { mimeType: 'application/pdf', fileUri } })),
      { file_data: { file_uri: uris[0] }, videoMetadata: { fps: 1 } },
      { fileData: { fileUri: 'https://example.com/a.pdf' } },
    ];
    const inlineData = { mimeType: 'application/pdf', data };
    expect(inlineFiles('generative-content', { contents: [{ parts }] }, files)).toEqual({
      contents: [{ parts: [{ inlineData }, { inlineData }, { inlineData, videoMetadata: { fps: 1 } }, parts[3]] }],
    });
  });

  it('leaves the arguments of tools alone', () => {
    const input = [{ type: 'function_call', arguments: { type: 'input_file', file_id: id(1) } }];
    expect(fileReferences('responses', { input })).toEqual([]);
  });

  it('refuses a reference at another place', () => {
    const content = [{ type: 'container_upload', file_id: id(1) }];
    expect(() => fileReferences('messages', { messages: [{ role: 'user', content }] })).toThrow(
      'messages[0][content][0][file_id] refers to a file of the gateway, which cannot be used here.',
    );
  });
});
