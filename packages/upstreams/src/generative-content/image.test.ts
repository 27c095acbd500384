import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../test/local-server.ts';
import { respondCommonly, imageParams, jsonVendor, MEDIA_KEY, mediaRig, mediaStage } from '../../test/media-rig.ts';
import { describeImageContract, type VendorBehavior } from '../../test/video-contract.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

const PNG = Buffer.from('PNG bytes');
const account = (origin: string) => ({ kind: 'generative-content', base_url: origin, api_key: MEDIA_KEY });
const inlineData = { mimeType: 'image/png', data: PNG.toString('base64') };
const candidateOf = (...parts: object[]) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
});

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse): void {
  if (respondCommonly(behavior, request, response)) return;
  const refuse = (code: number, status: string, message = 'why', details: object[] = []) =>
    sendJson(response, code, { error: { code, status, message, details } });
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, candidateOf({ text: 'Here it is' }, { inlineData }));
    case 'refuses':
      return refuse(400, 'INVALID_ARGUMENT', behavior.reason);
    case 'moderates':
      return sendJson(response, 200, { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } });
    case 'is busy':
      return refuse(429, 'RESOURCE_EXHAUSTED', 'You exceeded your current quota', [
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${behavior.retryAfterSeconds}s` },
      ]);
    case 'refuses the credential':
      return refuse(400, 'INVALID_ARGUMENT', `API key not valid: ${MEDIA_KEY}`, [{ reason: 'API_KEY_INVALID' }]);
    case 'has no balance':
      return refuse(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.');
    case 'answers 500':
      return refuse(500, 'INTERNAL');
    case 'runs':
    case 'has finished':
    case 'has failed':
    case 'does not know the job':
    case 'returns an unknown status':
    case 'cuts the content':
    case 'has expired the content':
    case 'drops the connection':
    case 'hangs':
    case 'returns garbage':
      throw new Error(`there is no mood ${behavior.behavior} on this wire`);
  }
}

describeImageContract({
  kind: 'generative-content',
  returnedOutputs: [{ bytes: PNG }],
  setStage: mediaStage({ account, isSubmission: ({ method }) => method === 'POST', response: reply }),
});

async function outcomeOf(body: unknown, status = 200) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig(account(vendor.origin));
  return await rig.image.submit(imageParams({}), NEVER);
}

async function recordedOf(params: Parameters<typeof imageParams>, base = '') {
  await using vendor = await jsonVendor(() => ({ body: candidateOf({ inlineData }) }));
  await using rig = mediaRig({ ...account(`${vendor.origin}${base}`) });
  await rig.image.submit(imageParams(...params), NEVER);
  const [recorded] = vendor.recorded;
  if (recorded === undefined) throw new Error('nothing was sent');
  return recorded;
}

const inline = (text: string) => ({ mimeType: 'image/png', data: Buffer.from(text).toString('base64') });

describe('request', () => {
  it('has inline images before the prompt and the response modalities', async () => {
    const images = [image('one', 'reference'), image('two', 'reference')];
    const recorded = await recordedOf([
      { aspectRatio: '16:9', seed: 7 },
      { images, model: 'models/gemini-3-pro-image' },
    ]);
    expect([recorded.method, recorded.url]).toEqual(['POST', '/v1beta/models/gemini-3-pro-image:generateContent']);
    expect(recorded.headers['x-goog-api-key']).toBe(MEDIA_KEY);
    expect(recorded.body).toEqual({
      contents: [
        { role: 'user', parts: [{ inlineData: inline('one') }, { inlineData: inline('two') }, { text: 'a red kite' }] },
      ],
      generationConfig: { seed: 7, responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '16:9' } },
    });
  });

  it('has vendor options in their places, overridden by planned fields', async () => {
    const metadata = {
      safetySettings: [{ category: 'x', threshold: 'BLOCK_NONE' }],
      temperature: 0.5,
      contents: [],
      model: 'dear',
      cachedContent: 'cachedContents/1',
      candidateCount: 8,
      candidate_count: 8,
      imageConfig: { imageSize: '4K', aspect_ratio: '1:1', numberOfImages: 4 },
      generationConfig: { topP: 0.9, responseModalities: ['TEXT'], imageConfig: { personGeneration: 'ALLOW_NONE' } },
    };
    const { body } = await recordedOf([{ aspectRatio: '16:9', metadata }]);
    expect(body).toEqual({
      safetySettings: metadata.safetySettings,
      contents: [{ role: 'user', parts: [{ text: 'a red kite' }] }],
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { imageSize: '4K', personGeneration: 'ALLOW_NONE', aspectRatio: '16:9' },
      },
    });
  });

  it.each([
    ['/v1', '/v1/models/model-a:generateContent'],
    ['/proxy/', '/proxy/v1beta/models/model-a:generateContent'],
    ['/v1beta?a=b', '/v1beta/models/model-a:generateContent?a=b'],
  ])('is sent below the base %j to %s', async (base, url) => {
    expect((await recordedOf([{}], base)).url).toBe(url);
  });

  it('is not sent above the inline limit', async () => {
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig(account(vendor.origin));
    const images = [{ ...image('x', 'reference'), bytes: 76 * 1024 * 1024 }];
    expect(await rig.image.submit(imageParams({}, { images }), NEVER)).toMatchObject({ kind: 'rejected' });
    expect(vendor.recorded).toEqual([]);
  });
});

describe('response', () => {
  it('may have several images, without those of its thoughts', async () => {
    const body = candidateOf(
      { inlineData, thought: true },
      { text: 'first' },
      { inlineData },
      { inline_data: { mime_type: 'image/jpeg', data: 'YQ==' } },
      { inlineData: { mimeType: 'audio/wav', data: 'YQ==' } },
    );
    expect(await outcomeOf(body)).toEqual({ kind: 'returned', outputs: [{ bytes: PNG }, { bytes: Buffer.from('a') }] });
  });

  it('without an image returns its text as the reason', async () => {
    expect(await outcomeOf(candidateOf({ text: 'I cannot draw that, see https://x.example/' }))).toEqual({
      kind: 'rejected',
      code: 'provider_error',
      message: 'I cannot draw that, see [link]',
    });
    expect(await outcomeOf({ candidates: [{ finishReason: 'NO_IMAGE', finishMessage: 'Nothing came.' }] })).toEqual({
      kind: 'rejected',
      code: 'provider_error',
      message: 'Nothing came.',
    });
    expect(await outcomeOf({ candidates: [] })).toEqual({
      kind: 'rejected',
      code: 'provider_error',
      message: 'The upstream returned no content. Retry the request.',
    });
  });

  it.each([
    'SAFETY',
    'IMAGE_SAFETY',
    'PROHIBITED_CONTENT',
    'IMAGE_PROHIBITED_CONTENT',
    'RECITATION',
    'IMAGE_RECITATION',
    'BLOCKLIST',
    'SPII',
  ])('that ended with %s was filtered', async (finishReason) => {
    expect(await outcomeOf({ candidates: [{ finishReason }] })).toEqual({
      kind: 'rejected',
      code: 'content_policy',
      message: "The upstream's content policy blocked the output. Change the request.",
    });
  });

  it.each(['MAX_TOKENS', 'OTHER', 'IMAGE_OTHER', 'NO_IMAGE', 'MALFORMED_RESPONSE', 'NEW_WORD'])(
    'that ended with %s was not',
    async (finishReason) => {
      expect(await outcomeOf({ candidates: [{ finishReason }] })).toMatchObject({ code: 'provider_error' });
    },
  );

  it('with a blocked prompt is refused content, whatever the reason', async () => {
    expect(await outcomeOf({ promptFeedback: { blockReason: 'OTHER', blockReasonMessage: 'no' } })).toEqual({
      kind: 'rejected',
      code: 'content_policy',
      message: 'no',
    });
  });

  it.each([[{}], [[]], [{ candidates: 'x' }], [{ error: { code: 500 } }]])(
    'without candidates is unknown: %o',
    async (body) => {
      expect(await outcomeOf(body)).toMatchObject({ kind: 'unknown' });
    },
  );
});

it.each([
  [403, 'PERMISSION_DENIED', 'why', { kind: 'account', code: 'provider_auth' }],
  [404, 'NOT_FOUND', 'models/x is not found', { kind: 'rejected', message: 'models/x is not found' }],
  [503, 'UNAVAILABLE', 'The model is overloaded.', { kind: 'busy', code: 'provider_error' }],
  [504, 'DEADLINE_EXCEEDED', 'why', { kind: 'unknown' }],
])('HTTP %i %s %j', async (code, status, message, expected) => {
  expect(await outcomeOf({ error: { code, status, message } }, code)).toMatchObject(expected);
});
