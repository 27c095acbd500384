import { describe, expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { decodeDashScope } from './dashscope-request.ts';

const url = 'https://pics.test/a.png';
const body = (content: unknown, more: object = {}) => ({
  model: 'qwen-image-edit-plus',
  input: { messages: [{ role: 'user', content }] },
  ...more,
});

describe('decodeDashScope', () => {
  it('reads every field', () => {
    const fields = {
      model: 'qwen-image-edit-plus',
      input: {
        messages: [
          {
            role: 'user',
            content: [{ image: url }, { image: 'data:image/png;base64,iVBORw0=' }, { text: 'at night' }],
          },
        ],
        ref_strength: 0.5,
      },
      parameters: {
        negative_prompt: 'blurry',
        prompt_extend: true,
        watermark: false,
        size: '1328*1328',
        n: 2,
        seed: 7,
        enable_interleave: true,
      },
      tier: 'low',
    };
    expect(decodeDashScope(fields)).toEqual({
      model: 'qwen-image-edit-plus',
      request: {
        kind: 'image',
        prompt: 'at night',
        negativePrompt: 'blurry',
        n: 2,
        size: '1328x1328',
        seed: 7,
        watermark: false,
        promptExtend: true,
        metadata: { tier: 'low', enable_interleave: true, input: { ref_strength: 0.5 } },
      },
      images: [
        { role: 'reference', source: { kind: 'url', url } },
        {
          role: 'reference',
          mediaType: 'image/png',
          base64: 'iVBORw0=',
          param: 'input[messages][0][content][1][image]',
        },
      ],
    });
  });

  it('joins the texts of all messages and needs no role', () => {
    const messages = [{ content: [{ text: 'a' }, { text: ' ' }] }, { role: 'user', content: [{ text: 'b' }] }];
    expect(decodeDashScope({ model: 'm', input: { messages } }).request.prompt).toBe('a\nb');
  });

  it('treats null and empty parameters as absent', () => {
    const parameters = { negative_prompt: '', n: null, size: null, seed: null, watermark: null, other: null };
    expect(decodeDashScope(body([{ text: 'a' }], { parameters })).request).toEqual({
      kind: 'image',
      prompt: 'a',
    });
  });

  it('returns bytes on request', () => {
    expect(decodeDashScope(body([{ text: 'a' }], { response_format: 'b64_json' })).request.delivery).toBe('b64_json');
  });

  it('never forwards a callback', () => {
    const fields = body([{ text: 'a' }], { parameters: { callback_url: 'https://x.test' } });
    const { request, dropped } = decodeDashScope({ ...fields, input: { ...fields.input, webhook: 'x' } });
    expect(request.metadata).toEqual({ input: {} });
    expect(dropped).toEqual(['parameters[callback_url]', 'input[webhook]']);
  });

  const at = 'input[messages][0][content]';
  it.each([
    [{ input: { messages: [] } }, 'model'],
    [{ model: '', input: { messages: [] } }, 'model'],
    [{ model: ' ', input: { messages: [] } }, 'model'],
    [{ model: 'm', input: 'a' }, 'input'],
    [{ model: 'm', input: {} }, 'input[messages]'],
    [{ model: 'm', input: { messages: 'a' } }, 'input[messages]'],
    [{ model: 'm', input: { messages: [] } }, 'input[messages]'],
    [{ model: 'm', input: { messages: ['a'] } }, 'input[messages][0]'],
    [{ model: 'm', input: { messages: [{ role: 5, content: [] }] } }, 'input[messages][0][role]'],
    [{ model: 'm', input: { messages: [{ role: 'user' }] } }, at],
    [body('a'), at],
    [body(['a']), `${at}[0]`],
    [body([{}]), `${at}[0]`],
    [body([{ text: 5 }]), `${at}[0][text]`],
    [body([{ image: 5 }]), `${at}[0][image]`],
    [body([{ text: 'a' }, { image: 'ftp://pics.test' }]), `${at}[1][image]`],
    [body([{ text: 'a' }, { image: 'iVBORw0=' }]), `${at}[1][image]`],
    [body(Array.from({ length: 17 }, () => ({ image: url }))), 'input[messages]'],
    [body([{ text: 'x'.repeat(20_000) }, { text: 'x'.repeat(20_000) }]), 'input[messages]'],
    [body([{ text: 'a' }], { parameters: 'x' }), 'parameters'],
    [body([{ text: 'a' }], { parameters: { size: '1328' } }), 'parameters[size]'],
    [body([{ text: 'a' }], { parameters: { n: 11 } }), 'parameters[n]'],
    [body([{ text: 'a' }], { parameters: { watermark: 'yes' } }), 'parameters[watermark]'],
    [body([{ text: 'a' }], { parameters: { prompt_extend: 2 } }), 'parameters[prompt_extend]'],
    [body([{ text: 'a' }], { parameters: { negative_prompt: 5 } }), 'parameters[negative_prompt]'],
    [body([{ text: 'a' }], { parameters: { seed: 'x' } }), 'parameters[seed]'],
    [body([{ text: 'a' }], { parameters: { x: 'x'.repeat(65_536) } }), 'parameters[x]'],
    [body([{ text: 'a' }], { response_format: 'png' }), 'response_format'],
  ])('rejects %.80j', (fields, param) => {
    expect(() => decodeDashScope(fields)).toThrow(refusal(param));
  });
});
