import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const authorization = 'Bearer sk-sandbox';
const square = image(64, 64);
const wide = image(64, 32);
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 0 });
});
afterAll(() => sandbox.close());

function image(width: number, height: number): File {
  // A copy, because TypeScript requires a Uint8Array with a plain ArrayBuffer.
  const bytes = new Uint8Array(renderImage({ prompt: 'kite', width, height }));
  return new File([bytes], 'kite.png', { type: 'image/png' });
}

async function generate(body: unknown): Promise<Response> {
  const headers = { authorization, 'content-type': 'application/json' };
  return fetch(`${sandbox.url}/v1/images/generations`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function edit(fields: Record<string, string | File | readonly File[]>): Promise<Response> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const file of value) body.append(`${name}[]`, file);
    else if (typeof value === 'string' || value instanceof File) body.append(name, value);
  }
  return fetch(`${sandbox.url}/v1/images/edits`, { method: 'POST', headers: { authorization }, body });
}

async function outcomeOf(response: Promise<Response>): Promise<unknown[]> {
  const body: unknown = await (await response).json();
  const { error, data } = Object(body);
  return error === undefined ? [Object(data).length] : [(await response).status, error.param, error.code];
}

const gpt = { model: 'gpt-image-1.5', prompt: 'kite' };

describe('POST /v1/images/generations', () => {
  it.each([
    [[], null, 'invalid_type'],
    [{}, 'prompt', 'missing_required_parameter'],
    [{ prompt: '' }, 'prompt', 'empty_string'],
    [{ prompt: 7 }, 'prompt', 'invalid_type'],
    [{ prompt: 'x'.repeat(32_001) }, 'prompt', 'string_above_max_length'],
    [{ ...gpt, n: 0 }, 'n', 'integer_below_min_value'],
    [{ ...gpt, n: 11 }, 'n', 'integer_above_max_value'],
    [{ ...gpt, n: '2' }, 'n', 'invalid_type'],
    [{ ...gpt, size: '512x512' }, 'size', 'invalid_value'],
    [{ ...gpt, size: 1024 }, 'size', 'invalid_type'],
    [{ ...gpt, quality: 'hd' }, 'quality', 'invalid_value'],
    [{ ...gpt, quality: 'max' }, 'quality', 'invalid_value'],
    [{ ...gpt, background: 'blue' }, 'background', 'invalid_value'],
    [{ ...gpt, output_format: 'jpeg' }, 'output_format', 'invalid_value'],
    [{ ...gpt, output_compression: 50 }, 'output_compression', 'invalid_png_output_compression'],
    [{ ...gpt, stream: true }, 'stream', 'unsupported_value'],
    [{ ...gpt, partial_images: 2 }, 'partial_images', 'unsupported_value'],
    // Source: https://github.com/vercel/ai/issues/6102
    [{ ...gpt, response_format: 'b64_json' }, 'response_format', 'unknown_parameter'],
    [{ ...gpt, style: 'vivid' }, 'style', 'unknown_parameter'],
    [{ ...gpt, aspect_ratio: '1:1' }, 'aspect_ratio', 'unknown_parameter'],
    [{ model: 'gpt-image-2', prompt: 'kite', size: '1000x1000' }, 'size', 'invalid_value'],
    [{ model: 'gpt-image-2', prompt: 'kite', quality: 'xhigh' }, 'quality', 'invalid_value'],
    [{ model: 'dall-e-3', prompt: 'kite', n: 2 }, 'n', 'integer_above_max_value'],
    [{ model: 'dall-e-3', prompt: 'kite', size: '256x256' }, 'size', 'invalid_value'],
    [{ model: 'dall-e-2', prompt: 'kite', size: '1792x1024' }, 'size', 'invalid_value'],
    [{ model: 'dall-e-2', prompt: 'kite', style: 'vivid' }, 'style', 'unknown_parameter'],
    [{ model: 'dall-e-2', prompt: 'x'.repeat(1001) }, 'prompt', 'string_above_max_length'],
    [{ model: 'any', prompt: 'kite', size: '0x512' }, 'size', 'invalid_value'],
    [{ model: 'any', prompt: 'kite', response_format: 'png' }, 'response_format', 'invalid_value'],
  ])('rejects %j', async (body, param, code) => {
    expect(await outcomeOf(generate(body))).toEqual([400, param, code]);
  });

  it.each([
    [{ prompt: 'kite' }, 1],
    [{ ...gpt, n: 3, size: null, user: 'me', moderation: 'low', output_compression: 100 }, 3],
    [{ model: 'gpt-image-2.5-flare', prompt: 'kite', quality: 'max', size: '64x48', complexity: 'low' }, 1],
    [{ model: 'dall-e-3', prompt: 'kite', quality: 'hd', style: 'vivid' }, 1],
    [{ model: 'any', prompt: 'kite', n: 10, size: '32x32', quality: 'hd', guidance: 7 }, 10],
  ])('accepts %j', async (body, expected) => {
    expect(await outcomeOf(generate(body))).toEqual([expected]);
  });
});

describe('POST /v1/images/edits', () => {
  const small = { model: 'gpt-image-2', prompt: 'kite', size: '32x32' };

  it.each([
    [{ ...small }, 'image', 'missing_required_parameter'],
    [{ model: 'gpt-image-2', image: square }, 'prompt', 'missing_required_parameter'],
    [{ ...small, image: square, n: '11' }, 'n', 'integer_above_max_value'],
    [{ ...small, image: square, n: 'two' }, 'n', 'invalid_type'],
    [{ ...small, image: square, photo: square }, 'photo', 'unknown_parameter'],
    [{ ...small, image: new File(['kite'], 'a.txt', { type: 'text/plain' }) }, 'image', 'unsupported_file_mimetype'],
    [{ ...small, image: new File(['kite'], 'a.png', { type: 'image/png' }) }, null, 'invalid_image_file'],
    [{ ...small, image: Array.from({ length: 17 }, () => square) }, 'image', 'array_above_max_length'],
    [{ ...small, image: square, mask: wide }, 'mask', 'invalid_mask_image'],
    [{ ...small, image: square, input_fidelity: 'high' }, 'input_fidelity', 'invalid_input_fidelity_model'],
    [{ ...small, model: 'dall-e-3', size: '1024x1024', image: square }, 'model', 'invalid_value'],
    [{ ...small, model: 'dall-e-2', size: '256x256', image: wide }, 'image', 'invalid_image'],
    [{ ...small, model: 'dall-e-2', size: '256x256', image: [square, square] }, 'image', 'array_above_max_length'],
  ])('rejects form %#: %s', async (fields, param, code) => {
    expect(await outcomeOf(edit(fields))).toEqual([400, param, code]);
  });

  it.each([
    [{ ...small, image: square, mask: square, n: '2', stream: 'false' }, 2],
    [{ ...small, image: [square, wide, wide] }, 1],
    [{ ...small, model: 'dall-e-2', size: '256x256', image: square }, 1],
    [{ ...small, model: 'any', image: wide, response_format: 'url' }, 1],
  ])('accepts form %#', async (fields, expected) => {
    expect(await outcomeOf(edit(fields))).toEqual([expected]);
  });

  it('rejects JSON', async () => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${sandbox.url}/v1/images/edits`, {
      method: 'POST',
      headers,
      body: '{"prompt":"kite"}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('multipart/form-data') } });
  });
});
