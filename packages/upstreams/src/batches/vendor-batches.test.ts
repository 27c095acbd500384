import type { IncomingMessage, ServerResponse } from 'node:http';
import { type VendorBatchCapability, VendorResultsGoneError } from '@sluice/canonical';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, readBody, sendJson, startServer } from '../../test/local-server.ts';
import { type MediaContext, mediaContext } from '../../test/media-context.ts';
import type { UpstreamAccount } from '../contract/upstream.ts';
import { generativeBatches } from './generative-batches.ts';
import { invocationJobs } from './invocation-jobs.ts';
import { messageBatches } from './message-batches.ts';
import { openAiBatches } from './openai-batches.ts';

const BATCH = 'batch_012';
const { signal } = new AbortController();
let server: LocalServer;
let context: MediaContext;
let respond: (request: IncomingMessage, response: ServerResponse) => unknown;
let vendors: Record<'openai' | 'anthropic' | 'gemini' | 'bedrock', VendorBatchCapability>;

beforeEach(async () => {
  server = await startServer((request, response) => respond(request, response));
  const { origin } = server;
  // Each call of a batch takes longer than the timeout of other submissions.
  context = mediaContext([origin], { timeouts: { submitMs: 1, pollMs: 1, downloadIdleMs: 1_000 }, maxBytes: 200 });
  const account = (path: string): UpstreamAccount => ({ kind: 'test', base_url: origin + path, api_key: 'sk-test' });
  const settings = { folder: 's3://bucket/folder', roleArn: 'arn', endpoint: `${origin}/s3`, controlUrl: origin };
  vendors = {
    openai: openAiBatches(account('/v1'), context, '/v1/responses'),
    anthropic: messageBatches(account('/v1'), context, () => ({})),
    gemini: generativeBatches(account('/proxy/v1beta'), context, (model) => `/models/${model}`),
    bedrock: invocationJobs(account(''), () => context, settings),
  };
});
afterEach(async () => {
  await context[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const pathsOf = (sent: readonly IncomingMessage[]) => sent.map(({ url }) => url);
const openResults = (name: keyof typeof vendors) => vendors[name].openResults('s3://bucket/files', signal);
const findLost = () => vendors.anthropic.find({ batchId: BATCH, submittedAt: Date.now() }, signal);

async function* requests(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{}\n');
}

const PARAMS = { batchId: BATCH, model: 'm', requests: 100, content: { bytes: 3, read: requests }, headers: {} };

describe.each(['openai', 'anthropic', 'gemini', 'bedrock'] as const)('the batches of %s', (name) => {
  it('are canceled, unless the vendor may have ignored the cancellation', async () => {
    for (const status of [200, 400, 404, 409]) {
      respond = (_request, response) => sendJson(response, status, {});
      await vendors[name].cancel('id', signal);
    }
    for (const status of [401, 429, 500, 503]) {
      respond = (_request, response) => sendJson(response, status, {});
      await expect(vendors[name].cancel('id', signal)).rejects.toThrow(`HTTP ${status}`);
    }
  });

  it('have no results if the vendor deleted them, or if they are too large', async () => {
    for (const status of [404, 410]) {
      respond = (_request, response) => sendJson(response, status, {});
      await expect(openResults(name)).rejects.toThrow(VendorResultsGoneError);
    }
    respond = (_request, response) => sendJson(response, 200, { long: 'x'.repeat(200) }, { 'content-length': '211' });
    await expect(openResults(name)).rejects.toThrow(VendorResultsGoneError);
    respond = (_request, response) => sendJson(response, 503, {});
    await expect(openResults(name)).rejects.not.toThrow(VendorResultsGoneError);
  });
});

describe('a lost batch of Anthropic', () => {
  it('is missing only if no batch runs that it may be', async () => {
    const listed = { id: 'other', processing_status: 'in_progress', created_at: new Date().toISOString() };
    let key = '999-1';
    respond = ({ url = '' }, response) => {
      if (url.endsWith('/results')) return response.end(`${JSON.stringify({ custom_id: key })}\n`);
      return sendJson(response, 200, { data: [{ ...listed, request_counts: {} }] });
    };
    expect(await findLost()).toMatchObject({ kind: 'unclear' });
    listed.processing_status = 'ended';
    expect([await findLost(), await findLost()]).toEqual([{ kind: 'missing' }, { kind: 'missing' }]);
    expect(pathsOf(server.requests).filter((path) => path?.endsWith('/results')).length).toBe(1);
    key = '012-7';
    listed.id = 'own';
    expect(await findLost()).toEqual({ kind: 'found', id: 'own' });
  });
});

describe('an upload to Gemini', () => {
  it('is sent through the proxy of the account', async () => {
    respond = async (request, response) => {
      await readBody(request);
      const location = 'https://vendor.example/upload/v1beta/files?upload_id=7';
      sendJson(response, 200, { file: { name: 'files/a' } }, { 'x-goog-upload-url': location });
    };
    expect(await vendors.gemini.upload?.(PARAMS, signal)).toEqual({ kind: 'uploaded', name: 'files/a' });
    expect(pathsOf(server.requests)).toEqual(['/proxy/upload/v1beta/files', '/proxy/upload/v1beta/files?upload_id=7']);
  });
});

describe('a failed job of Bedrock', () => {
  it.each([
    ['that processed records has results', 3, 200, 'ended'],
    ['that processed none has no results', 0, 200, 'failed'],
    ['without a count has results if it wrote any', undefined, 200, 'ended'],
    ['without a count has no results if it wrote none', undefined, 404, 'failed'],
  ])('%s', async (_, processed, objectStatus, kind) => {
    respond = ({ url = '' }, response) =>
      url.startsWith('/s3')
        ? sendJson(response, objectStatus, {})
        : sendJson(response, 200, { status: 'Failed', processedRecordCount: processed });
    expect(await vendors.bedrock.poll('arn:job/7', signal)).toMatchObject({ kind });
  });
});
