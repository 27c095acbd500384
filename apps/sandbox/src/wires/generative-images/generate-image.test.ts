import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { measureImage } from '../../media/image/measure-image.ts';
import { renderImage } from '../../media/image/render-image.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

const NANO = 'gemini-2.5-flash-image';
const kite = renderImage({ prompt: 'kite', width: 64, height: 48 }).toString('base64');
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ renderMs: 10 });
});
afterAll(() => sandbox.close());

const call = wireCaller(() => `${sandbox.url}/v1beta/models`, { 'x-goog-api-key': 'sk-sandbox' });
const requestBody = (parts: unknown, config: object = {}) => ({
  contents: [{ role: 'user', parts }],
  generationConfig: { responseModalities: ['IMAGE'], ...config },
});
const generate = (text: string, config: object = {}, model = NANO) =>
  call('POST', `/${model}:generateContent`, requestBody([{ text }], config));

function imageIn(body: unknown, part = 0) {
  const data = at(body, `candidates.0.content.parts.${part}.inlineData.data`);
  return measureImage(Buffer.from(String(data), 'base64'));
}

describe('a request for an image', () => {
  it('returns it with its usage', async () => {
    const { status, body } = await generate('a paper boat', { imageConfig: { aspectRatio: '16:9' } });
    expect(status).toBe(200);
    expect(imageIn(body)).toEqual({ mediaType: 'image/png', width: 1344, height: 768 });
    expect(body).toMatchObject({
      candidates: [{ content: { role: 'model', parts: [{}] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: {
        promptTokenCount: 3,
        candidatesTokenCount: 1270,
        totalTokenCount: 1273,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1270 }],
      },
      modelVersion: NANO,
      responseId: expect.any(String),
    });
  });

  it('returns text too, if requested or by default', async () => {
    const both = await generate('kite', { responseModalities: ['TEXT', 'IMAGE'] });
    const none = await generate('kite', { responseModalities: null });
    for (const { body } of [both, none]) {
      expect(at(body, 'candidates.0.content.parts.0')).toEqual({ text: 'Here is your image.' });
      expect(imageIn(body, 1)).toMatchObject({ width: 1024 });
    }
  });

  it('returns a larger image for a larger size', async () => {
    const { body } = await generate(
      'kite',
      { image_config: { imageSize: '2K', aspect_ratio: '4:3' } },
      'gemini-3-pro-image',
    );
    expect(imageIn(body)).toMatchObject({ width: 2368, height: 1728 });
  });

  it('streams it in one chunk', async () => {
    const events = await fetch(`${sandbox.url}/v1/models/${NANO}:streamGenerateContent?alt=sse&key=sk-sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestBody([{ text: 'kite' }])),
    });
    expect(events.headers.get('content-type')).toContain('text/event-stream');
    const text = await events.text();
    expect(text.endsWith('\r\n\r\n')).toBe(true);
    expect(imageIn(JSON.parse(text.slice('data: '.length)))).toBeDefined();
    const array = await call('POST', `/${NANO}:streamGenerateContent`, requestBody([{ text: 'kite' }]));
    expect(imageIn(at(array.body, '0'))).toBeDefined();
  });

  it('records the input images', async () => {
    const parts = [{ text: 'a kite at sea' }, { inlineData: { mimeType: 'image/png', data: kite } }];
    const { body } = await call('POST', `/${NANO}:generateContent`, requestBody(parts), {
      'x-client-request-id': 'task-9',
    });
    expect(at(body, 'usageMetadata')).toMatchObject({
      promptTokenCount: 4 + 258,
      promptTokensDetails: [{ modality: 'TEXT' }, { modality: 'IMAGE', tokenCount: 258 }],
    });
    const counted: unknown = await (await fetch(`${sandbox.url}/_sandbox/submissions?wire=generative-images`)).json();
    expect(counted).toMatchObject({
      submissions: expect.arrayContaining([
        expect.objectContaining({
          task: 'task-9',
          applied: 1,
          inputs: [expect.objectContaining({ field: 'parts[1]', mediaType: 'image/png', sha256: expect.any(String) })],
        }),
      ]),
    });
  });

  it('returns a signature that can be sent back, if the model signs', async () => {
    const model = 'gemini-3-pro-image';
    const first = await generate('kite', {}, model);
    const content = at(first.body, 'candidates.0.content');
    const contents = [
      { role: 'user', parts: [{ text: 'kite' }] },
      content,
      { role: 'user', parts: [{ text: 'bluer' }] },
    ];
    const body = { contents, generationConfig: { responseModalities: ['IMAGE'] } };
    expect((await call('POST', `/${model}:generateContent`, body)).status).toBe(200);
    expect((await call('POST', '/gemini-3-flash-image:generateContent', body)).status).toBe(400);
  });

  it('returns text if the request does not ask for an image', async () => {
    const text = { contents: [{ parts: [{ text: 'hello' }] }], generationConfig: { responseModalities: ['TEXT'] } };
    for (const model of ['gemini-2.5-flash', NANO, 'any']) {
      const { body } = await call('POST', `/${model}:generateContent`, text);
      expect(at(body, 'candidates.0.content.parts.0.text'), model).toBe('You said: hello');
    }
  });
});

describe('a request for an image is rejected', () => {
  it.each([
    [{ imageConfig: { aspectRatio: '5:3' } }, 'image_config.aspect_ratio'],
    [{ imageConfig: { imageSize: '2k' } }, 'image_config.image_size'],
    [{ imageConfig: { aspectRatio: 1 } }, 'aspect_ratio'],
    [{ imageConfig: { numberOfImages: 2 } }, 'Unknown name "numberOfImages"'],
    [{ responseModalities: ['IMAGE', 'PICTURE'] }, 'response_modalities'],
    [{ candidateCount: 2 }, 'Multiple candidates is not enabled'],
    [{ responseMimeType: 'application/json' }, 'JSON mode is not enabled'],
    [{ seed: 1.5 }, 'seed'],
  ])('for %j', async (config, words) => {
    const { status, body } = await generate('kite', config);
    expect([status, at(body, 'error.status')]).toEqual([400, 'INVALID_ARGUMENT']);
    expect(at(body, 'error.message')).toContain(words);
  });

  it.each([
    [[], 'must not be empty'],
    [[{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }], 'Unable to process input image'],
    [[{ inlineData: { mimeType: 'image/png', data: '!' } }], 'inline_data.data'],
    [[{ inlineData: { mimeType: 'audio/wav', data: kite } }], 'Unsupported MIME type: audio/wav'],
  ])('with parts %j', async (parts, words) => {
    const { status, body } = await call('POST', `/${NANO}:generateContent`, requestBody(parts));
    expect(status).toBe(400);
    expect(at(body, 'error.message')).toContain(words);
  });

  it('by text models, and with functions', async () => {
    const { body } = await generate('kite', {}, 'gemini-2.5-flash');
    expect(at(body, 'error.message')).toContain('models/gemini-2.5-flash accepts the following');
    const functions = { ...requestBody([{ text: 'kite' }]), tools: [{ functionDeclarations: [{ name: 'w' }] }] };
    const called = await call('POST', `/${NANO}:generateContent`, functions);
    expect(at(called.body, 'error.message')).toContain('Function calling is not enabled');
  });
});

describe('directives', () => {
  it.each([
    ['[moderation]', 200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }],
    ['[moderated-output]', 200, { candidates: [{ content: {}, finishReason: 'IMAGE_SAFETY' }] }],
    ['[fail]', 200, { candidates: [{ content: {}, finishReason: 'IMAGE_OTHER' }] }],
    ['[nothing]', 200, { candidates: [{ content: {}, finishReason: 'NO_IMAGE' }] }],
    ['[refused]', 400, { error: { status: 'INVALID_ARGUMENT' } }],
    ['[balance]', 429, { error: { message: expect.stringContaining('credits are depleted') } }],
    ['[429]', 429, { error: { status: 'RESOURCE_EXHAUSTED', details: [{ retryDelay: '1s' }] } }],
    ['[503]', 503, { error: { status: 'UNAVAILABLE' } }],
    ['[500]', 500, { error: { status: 'INTERNAL' } }],
    ['[garbage]', 200, { predictions: [{}] }],
  ])('%s is formatted by %i', async (word, status, body) => {
    const response = await generate(`kite ${word}`);
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject(body);
  });

  it('[cut] cuts off the response that contains the image', async () => {
    await expect(generate('kite [cut]')).rejects.toThrow('terminated');
  });
});
