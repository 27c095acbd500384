import { splitLines } from '@sluice/batches';
import { type BatchParams, GATEWAY_MESSAGES, GatewayError } from '@sluice/canonical';
import {
  BodySplitter,
  decodeDryRun,
  decodeGenerativeBatchOptions,
  decodeMessageBatchOptions,
  decodeMessageRequest,
  DEFAULT_WINDOW_MS,
  GENERATIVE_REQUESTS_PATH,
  generativeEndpoint,
  generativeLineDecoder,
  generativeRequestDecoder,
  MAX_REQUESTS,
  MESSAGE_REQUESTS_PATH,
  MESSAGES_ENDPOINT,
  splitModelPath,
} from '@sluice/protocols';
import { idempotencyKeyOf } from '../http/idempotency/idempotency-key.ts';
import { printable } from '../http/printable.ts';
import { streamedBody } from '../http/read-body.ts';
import { findModel } from '../routing/find-model.ts';
import type { BatchCall } from './batch-call.ts';
import type { BatchesDeps } from './batches-deps.ts';
import { createOnce } from './create-once.ts';
import { estimateBatch } from './estimate-batch.ts';
import { expectBudget } from '../metering/budget/expect-budget.ts';
import { headersOf, labelsOf } from './line-headers.ts';
import { readRequests, type RequestSource, writeRequests } from './write-requests.ts';

/** Anthropic's limit of a batch (documentation of the Message Batches API). */
export const MESSAGE_BATCH_BYTES = 256 * 1024 * 1024;

/** Creates a batch of the messages in the body, which is streamed to a file. */
export async function createMessageBatch(deps: BatchesDeps, call: BatchCall): Promise<unknown> {
  const { request } = call;
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    throw new GatewayError('unsupported_media_type', 'Send the body as `application/json`.');
  }
  await prepare(deps, call);
  const splitter = new BodySplitter({ path: MESSAGE_REQUESTS_PATH, maxBytes: deps.limits.requestBytes });
  let options: ReturnType<typeof decodeMessageBatchOptions> = {};
  const source: RequestSource = {
    param: 'requests',
    max: MAX_REQUESTS,
    async *requests() {
      for await (const chunk of streamedBody(request, MESSAGE_BATCH_BYTES)) yield* splitter.push(chunk);
      options = decodeMessageBatchOptions(splitter.end());
    },
    lineOf: messageLines(deps, call),
  };
  return create(deps, call, source, () => ({ ...options, protocol: 'anthropic', endpoint: MESSAGES_ENDPOINT }));
}

/** Checks that the ids of messages differ, and that the key may use their models. */
function messageLines({ catalog }: BatchesDeps, call: BatchCall): RequestSource['lineOf'] {
  const ids = new Set<string>();
  const models = new Set<string | undefined>();
  return (bytes, number) => {
    const { customId, model = '', line } = decodeMessageRequest(bytes, number);
    const path = `requests[${number - 1}]`;
    if (ids.has(customId)) {
      const what = `${path}: custom_id ${printable(customId)} appears twice. Each request needs its own.`;
      throw new GatewayError('invalid_request', what, { param: path });
    }
    ids.add(customId);
    if (!models.has(model)) findModel(catalog, call, model, path);
    models.add(model);
    return line;
  };
}

/** Creates a batch of the requests in the body, or in a file in Google's format, which is converted. */
export async function createGenerativeBatch(deps: BatchesDeps, call: BatchCall): Promise<unknown> {
  const { apiKey, request } = call;
  // The cast is safe because routes with an action suffix end in a wildcard.
  const { model } = splitModelPath((request.params as { '*'?: string })['*'] ?? '') ?? {};
  if (model === undefined) throw new GatewayError('not_found', GATEWAY_MESSAGES.noModelInPath);
  findModel(deps.catalog, call, model);
  await prepare(deps, call);
  const { requestBytes, maxLines } = deps.limits;
  const splitter = new BodySplitter({ path: GENERATIVE_REQUESTS_PATH, maxBytes: requestBytes });
  const elements = Buffer.isBuffer(request.body) ? splitter.push(request.body) : [];
  const { inputFileId, ...options } = decodeGenerativeBatchOptions(splitter.end());
  const endpoint = generativeEndpoint(model);
  const params = { ...options, protocol: 'gemini', endpoint } as const;
  if (inputFileId === undefined) {
    const param = 'batch[inputConfig][requests][requests]';
    const decode = generativeRequestDecoder(model, endpoint);
    const lineOf: RequestSource['lineOf'] = (bytes, number) => decode(bytes, number).line;
    const source = { param, max: MAX_REQUESTS, requests: () => elements, lineOf };
    return create(deps, call, source, () => ({ ...params, inlineResults: true }));
  }
  const { id } = await deps.files.find(apiKey.name, inputFileId);
  const decode = generativeLineDecoder(model, endpoint);
  const source: RequestSource = {
    param: 'batch[inputConfig][fileName]',
    max: maxLines,
    async *requests() {
      for await (const { bytes, number } of splitLines(await deps.files.open(id), requestBytes)) {
        if (!bytes) throw lineTooLong(number, requestBytes);
        yield bytes;
      }
    },
    lineOf: (bytes, number) => decode(bytes, number).line,
  };
  return create(deps, call, source, () => params);
}

type InlineParams = Omit<BatchParams, 'inputFileId' | 'windowMs' | 'metadata'>;

/** Checks what can be checked before the requests are read. */
async function prepare(deps: BatchesDeps, { apiKey, request }: BatchCall): Promise<void> {
  labelsOf(request);
  if (!decodeDryRun(request.query)) await expectBudget(deps.limiter, apiKey);
  await deps.files.checkQuota(apiKey.name, Number(request.headers['content-length'] ?? 0));
}

/**
 * Creates a batch, or estimates its cost if `dry_run` is true.
 * @param paramsOf called after the requests were read
 */
async function create(
  deps: BatchesDeps,
  call: BatchCall,
  source: RequestSource,
  paramsOf: () => InlineParams,
): Promise<unknown> {
  const { apiKey, request } = call;
  const { files, limits } = deps;
  if (decodeDryRun(request.query)) {
    return readRequests(deps, source, (lines) => estimateBatch(deps, call, paramsOf(), lines));
  }
  const { id: inputFileId, sha256 } = await writeRequests(deps, apiKey.name, source);
  // If this fails, the file expires.
  const removeInput = () => files.remove(apiKey.name, inputFileId).catch(() => undefined);
  try {
    const params = paramsOf();
    const batch = {
      ...params,
      inputFileId,
      ownsInput: true,
      windowMs: Math.min(DEFAULT_WINDOW_MS, limits.maxWindowMs),
      metadata: {},
      headers: headersOf(request, params.endpoint),
      ...labelsOf(request),
    };
    return await createOnce(deps, call, batch, { content: sha256, onReplay: removeInput });
  } catch (error) {
    // Redis may have recorded the batch. A client with a key gets it when it repeats the request. A client without one
    // creates another batch, so this one must not run.
    const isUnknown = error instanceof GatewayError && error.code === 'store_unavailable';
    if (!isUnknown || idempotencyKeyOf(request) === undefined) await removeInput();
    throw error;
  }
}

function lineTooLong(number: number, maxBytes: number): GatewayError {
  const limit = maxBytes.toLocaleString('en-US');
  return new GatewayError('invalid_request', `Line ${number}: The line exceeds ${limit} bytes. Shorten it.`);
}
