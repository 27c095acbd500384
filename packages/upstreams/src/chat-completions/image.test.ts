import type { IncomingMessage, ServerResponse } from 'node:http';
import { createReadStream, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deadOrigin, readBody, sendJson, startServer, until } from '../../test/local-server.ts';
import {
  respondCommonly,
  imageParams,
  jsonVendor,
  MEDIA_KEY,
  mediaJob,
  mediaRig,
  mediaStage,
} from '../../test/media-rig.ts';
import { describeImageContract, type VendorBehavior } from '../../test/video-contract.ts';
import { NEVER, image } from '../../test/videos-rig.ts';

const PNG = Buffer.from('PNG bytes');
const account = (origin: string) => ({ kind: 'chat-completions', base_url: `${origin}/v1/`, api_key: MEDIA_KEY });

function reply(behavior: VendorBehavior, request: IncomingMessage, response: ServerResponse): void {
  if (respondCommonly(behavior, request, response)) return;
  const refuse = (status: number, error: object, headers = {}) => sendJson(response, status, { error }, headers);
  switch (behavior.behavior) {
    case 'accepts':
      return sendJson(response, 200, { created: 1, data: [{ b64_json: PNG.toString('base64') }] });
    case 'refuses':
      return refuse(400, { type: 'invalid_request_error', message: behavior.reason });
    case 'moderates':
      return refuse(400, { code: 'moderation_blocked', type: 'image_generation_user_error' });
    case 'is busy':
      return refuse(429, { code: 'rate_limit_exceeded' }, { 'retry-after': String(behavior.retryAfterSeconds) });
    case 'refuses the credential':
      return refuse(401, { code: 'invalid_api_key', message: `Incorrect API key provided: ${MEDIA_KEY}` });
    case 'has no balance':
      return refuse(400, { code: 'billing_hard_limit_reached' });
    case 'answers 500':
      return refuse(500, { message: 'oops' });
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
  kind: 'chat-completions',
  returnedOutputs: [{ bytes: PNG }],
  setStage: mediaStage({ account, isSubmission: ({ method }) => method === 'POST', response: reply }),
});

async function outcomeOf(status: number, body: unknown) {
  await using vendor = await jsonVendor(() => ({ status, body }));
  await using rig = mediaRig(account(vendor.origin));
  return await rig.image.submit(imageParams({}), NEVER);
}

describe('prompt without images', () => {
  it('is sent as JSON, with vendor options but without planned fields from them', async () => {
    await using vendor = await jsonVendor(() => ({ body: { data: [{ url: 'https://files.example/a.png' }] } }));
    await using rig = mediaRig({ ...account(vendor.origin), headers: { 'OpenAI-Organization': 'org-clips' } });
    const metadata = {
      model: 'dear-model',
      n: 100,
      stream: true,
      partial_images: 3,
      webhook_url: 'https://client.example/',
      quality: 'low',
      Quality: 'low',
      moderation: 'low',
      style: { name: 'vivid' },
    };
    await rig.image.submit(imageParams({ size: '1024x1024', quality: 'high', metadata }, { model: 'model-b' }), NEVER);
    const [recorded] = vendor.recorded;
    expect([recorded?.method, recorded?.url]).toEqual(['POST', '/v1/images/generations']);
    expect(recorded?.headers).toMatchObject({
      authorization: `Bearer ${MEDIA_KEY}`,
      'openai-organization': 'org-clips',
      'x-client-request-id': 'image_task1',
    });
    expect(recorded?.body).toEqual({
      moderation: 'low',
      style: { name: 'vivid' },
      model: 'model-b',
      prompt: 'a red kite',
      size: '1024x1024',
      quality: 'high',
    });
  });

  it('is sent below a base URL with a query, and without a credential if there is no key', async () => {
    await using vendor = await jsonVendor(() => ({ body: { data: [{ b64_json: 'YQ==' }] } }));
    const base_url = `${vendor.origin}/openai/v1?api-version=preview`;
    await using rig = mediaRig({ kind: 'chat-completions', base_url, headers: { 'api-key': 'azure-key-1' } });
    await rig.image.submit(imageParams({}), NEVER);
    expect(vendor.recorded[0]?.url).toBe('/openai/v1/images/generations?api-version=preview');
    expect(vendor.recorded[0]?.headers).not.toHaveProperty('authorization');
    expect(vendor.recorded[0]?.headers['api-key']).toBe('azure-key-1');
  });

  it('is never sent if the model cannot generate it', async () => {
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig(account(vendor.origin));
    const outcome = await rig.image.submit(imageParams({ prompt: '' }), NEVER);
    expect(outcome).toEqual({
      kind: 'rejected',
      code: 'invalid_request',
      message: 'The model does not support the request: prompt is required by this model.',
    });
    expect(vendor.recorded).toEqual([]);
  });
});

async function formOf(...images: ReturnType<typeof image>[]) {
  const forms: FormData[] = [];
  await using server = await startServer(async (request, response) => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    forms.push(await new Response(await readBody(request), { headers }).formData());
    sendJson(response, 200, { data: [{ b64_json: 'YQ==' }] });
  });
  await using rig = mediaRig(account(server.origin));
  const metadata = { input_fidelity: 'high', extra: { a: [1] }, 'image[]': 'x', mask: 'y' };
  await rig.image.submit(imageParams({ n: 2, size: '1024x1024', metadata }, { images, model: 'gpt-image-1' }), NEVER);
  expect(server.requests[0]).toMatchObject({ method: 'POST', url: '/v1/images/edits' });
  const files: [string, string, string][] = [];
  const fields: [string, unknown][] = [];
  for (const [name, value] of forms[0]?.entries() ?? []) {
    if (value instanceof File) files.push([name, value.type, await value.text()]);
    else fields.push([name, value]);
  }
  return { files, fields };
}

describe('images', () => {
  it('are streamed as form files: one plain, several as a list, with the mask', async () => {
    const { files, fields } = await formOf(image('one', 'reference'));
    expect(files).toEqual([['image', 'image/png', 'one']]);
    expect(fields).toEqual([
      ['input_fidelity', 'high'],
      ['extra[a][]', '1'],
      ['model', 'gpt-image-1'],
      ['prompt', 'a red kite'],
      ['n', '2'],
      ['size', '1024x1024'],
    ]);
    expect((await formOf(image('one', 'reference'), image('where', 'mask'))).files).toEqual([
      ['image', 'image/png', 'one'],
      ['mask', 'image/png', 'where'],
    ]);
    expect((await formOf(image('one', 'reference'), image('two', 'reference'))).files).toEqual([
      ['image[]', 'image/png', 'one'],
      ['image[]', 'image/png', 'two'],
    ]);
  });

  it('above the vendor’s limit are never sent', async () => {
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig(account(vendor.origin));
    const images = [{ ...image('x', 'reference'), bytes: 51 * 1024 * 1024 }];
    expect(await rig.image.submit(imageParams({}, { images }), NEVER)).toMatchObject({ kind: 'rejected' });
    expect(vendor.recorded).toEqual([]);
  });

  it('that cannot be opened use up no attempt', async () => {
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig(account(vendor.origin));
    const images = [{ ...image('x', 'reference'), open: () => Promise.reject(new Error('gone')) }];
    expect(await rig.image.submit(imageParams({}, { images }), NEVER)).toMatchObject({ kind: 'busy' });
    expect(vendor.recorded).toEqual([]);
  });

  it('are closed even if nothing could be sent', async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sluice-')), 'kite.png');
    writeFileSync(path, 'PNG bytes');
    const stream = createReadStream(path);
    await using rig = mediaRig(account(await deadOrigin()));
    const images = [{ ...image('PNG bytes', 'reference'), open: () => Promise.resolve(stream) }];
    expect(await rig.image.submit(imageParams({}, { images }), NEVER)).toMatchObject({ kind: 'busy' });
    await until(() => stream.closed);
  });
});

describe('output', () => {
  it('is bytes or URLs, with the rewritten prompt', async () => {
    const data = [
      { b64_json: PNG.toString('base64'), revised_prompt: 'a crimson kite' },
      { b64_json: `data:image/png;base64,${PNG.toString('base64')}`, url: '' },
      { url: 'https://files.example/a.png?sig=1', b64_json: null },
      { url: `data:image/png;base64,${PNG.toString('base64')}` },
    ];
    expect(await outcomeOf(200, { created: 1, data, usage: {} })).toEqual({
      kind: 'returned',
      outputs: [
        { bytes: PNG, revisedPrompt: 'a crimson kite' },
        { bytes: PNG },
        { url: 'https://files.example/a.png?sig=1' },
        { bytes: PNG },
      ],
    });
  });

  it('may be incomplete', async () => {
    const error = { code: 'content_policy_violation', message: 'no, see https://vendor.example/' };
    expect(await outcomeOf(200, { data: [{ error }, { url: 'https://files.example/a.png' }, {}] })).toEqual({
      kind: 'returned',
      outputs: [
        { error: { code: 'content_policy', message: 'no, see [link]' } },
        { url: 'https://files.example/a.png' },
        { error: { code: 'provider_error', message: 'The upstream returned no content. Retry the request.' } },
      ],
    });
  });

  it('may be empty', async () => {
    const error = { code: 'content_policy_violation', message: 'no' };
    expect(await outcomeOf(200, { data: [{ error }, {}] })).toEqual({
      kind: 'rejected',
      code: 'content_policy',
      message: 'no',
    });
    expect(await outcomeOf(200, { data: [] })).toEqual({
      kind: 'rejected',
      code: 'provider_error',
      message: 'The upstream returned no content. Retry the request.',
    });
  });

  it('may be large', async () => {
    const bytes = Buffer.alloc(8 * 1024 * 1024, 7);
    const outcome = await outcomeOf(200, { data: [{ b64_json: bytes.toString('base64') }] });
    expect(outcome.kind === 'returned' && outcome.outputs[0]?.bytes?.byteLength).toBe(bytes.byteLength);
  });

  it('is downloaded from its URL without the credential, once', async () => {
    let status = 200;
    await using store = await startServer((_request, response) =>
      response.writeHead(status, { 'content-type': 'image/png' }).end(PNG),
    );
    await using vendor = await jsonVendor(() => ({ body: {} }));
    await using rig = mediaRig(account(vendor.origin), { allow: [store.origin] });
    const job = mediaJob(rig.image.baseUrl, { upstreamId: '' });
    const open = () => rig.image.openContent(job, { index: 0, url: `${store.origin}/a.png` }, NEVER);
    expect(await open()).toMatchObject({ kind: 'opened' });
    status = 403;
    expect(await open()).toMatchObject({ kind: 'denied' });
    expect(store.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
    expect(await rig.image.poll(job, NEVER)).toMatchObject({ kind: 'unclear' });
    expect(vendor.recorded).toEqual([]);
  });
});

describe('error in a success', () => {
  it.each([
    [{ error: { code: 'moderation_blocked', message: 'no' } }, { kind: 'rejected', code: 'content_policy' }],
    [{ error: { code: 'insufficient_quota' } }, { kind: 'account', code: 'provider_quota' }],
    [{ error: { type: 'invalid_request_error', message: 'no' } }, { kind: 'rejected', code: 'invalid_request' }],
    [{ error: { code: 'server_error' } }, { kind: 'unknown' }],
    [{ data: 'x' }, { kind: 'unknown' }],
    [{}, { kind: 'unknown' }],
    [[], { kind: 'unknown' }],
  ])('%o', async (body, expected) => {
    expect(await outcomeOf(200, body)).toMatchObject(expected);
  });
});

it.each([
  [400, { code: 'billing_hard_limit_reached' }, { kind: 'account', code: 'provider_quota' }],
  [403, { message: 'Your organization must be verified' }, { kind: 'account', code: 'provider_auth' }],
  [404, { code: 'model_not_found', message: 'why' }, { kind: 'rejected', code: 'invalid_request', message: 'why' }],
  [422, undefined, { kind: 'rejected', message: 'The upstream returned HTTP 422.' }],
  [503, {}, { kind: 'busy', code: 'provider_error' }],
  [504, { code: 'moderation_blocked' }, { kind: 'unknown', message: 'The upstream returned HTTP 504.' }],
])('HTTP %i %o', async (status, error, expected) => {
  expect(await outcomeOf(status, { error })).toMatchObject(expected);
});
