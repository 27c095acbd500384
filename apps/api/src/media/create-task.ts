import { createHash } from 'node:crypto';
import {
  type CallbackShape,
  GatewayError,
  type InputImage,
  type MediaKind,
  type MediaRequest,
} from '@sluice/canonical';
import type { ModelPrice } from '@sluice/config';
import type { DecodedMedia, FieldNames, InlineImage, MediaForm } from '@sluice/protocols';
import { type AdmittedTask, discardContent, type NewTask, type TaskTarget } from '@sluice/tasks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { findModel } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import { strictModeError } from '../routing/strict-mode-error.ts';
import { unsuitableModel } from '../routing/unsuitable-model.ts';
import { countTaskRefusals } from '../metering/count-task-refusals.ts';
import { taskAllowance } from '../metering/task-allowance.ts';
import { abortReason } from '../http/abort-requests.ts';
import { canonicalJson } from './canonical-json.ts';
import { readForm, type ReadForm, storeImage } from './read-form.ts';
import { checkCallback } from '../http/public-url.ts';
import { checkImages } from './check-images.ts';
import { checkDepth } from './check-depth.ts';
import type { MediaDeps } from './media-deps.ts';
import { lossHeader, type Reviewed, reviewTargets } from './review-targets.ts';

export interface TaskCreation<R extends MediaRequest, W = R> {
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
  fileFields: readonly string[];
  /** The same idempotency key can be used separately for each operation. */
  operation: string;
  fieldNames: FieldNames;
  callbackShape?: CallbackShape | undefined;
  kind: MediaKind;
  decode(form: MediaForm): DecodedMedia<W>;
  /** Replace the model's routes (e.g. for a remix). */
  targets?: readonly TaskTarget[];
  /** The duration that responses contain until the upstream reports one. If omitted, the model's default is used. */
  usualSeconds?: string;
  /** @param models all names of the model: the requested name and the first route's name */
  complete(request: Omit<W, 'images'>, images: InputImage[], models: readonly string[]): R;
  disconnected: AbortSignal;
}

interface Choice extends Reviewed {
  model: string;
  models: readonly string[];
  seconds: string;
  price: ModelPrice | undefined;
}

/**
 * Creates a task from a request. If an error occurs before the task is recorded, all uploaded files are removed.
 * @throws GatewayError
 */
export async function createTask<R extends MediaRequest, W = R>(
  deps: MediaDeps,
  call: TaskCreation<R, W>,
): Promise<AdmittedTask> {
  const { request, reply, disconnected } = call;
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const form = await readForm(request, deps.content, deps.limits, call.fileFields);
  const stored = form.files.map(({ key }) => key);
  let admitted: AdmittedTask;
  try {
    // Authenticates again, because the key may have been revoked or its limits may have changed during a long upload.
    const creation = { ...call, apiKey: deps.callerOf(request) };
    checkDepth(form.fields);
    const decoded = creation.decode({ fields: form.fields ?? {}, files: form.files.map(withoutHash) });
    const callback = callbackOf(deps, creation, decoded);
    const choice = choose(deps, creation, decoded);
    checkImages(decoded.images, deps.imageOrigins, creation.fieldNames);
    const images: InputImage[] = [];
    for (const image of decoded.images) {
      images.push('base64' in image ? await storeInline(deps, image, stored) : image);
    }
    // A disconnected client cannot receive the response and will retry, so the task must not start.
    const stopped = abortReason(disconnected);
    if (stopped) throw stopped;
    if (disconnected.aborted)
      throw new GatewayError('invalid_request', 'The client disconnected before the request was complete.');
    const task: NewTask = {
      ownerId: creation.apiKey.name,
      model: choice.model,
      targets: choice.targets,
      request: creation.complete(decoded.request, images, choice.models),
      seconds: choice.seconds,
      operation: creation.operation,
      digest: digestOf(form),
      ...(decoded.externalId !== undefined && { externalId: decoded.externalId }),
      ...callback,
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      retryCount: readRetryCount(request.headers['x-stainless-retry-count']),
    };
    const allowance = taskAllowance(creation.apiKey, choice.price, task.request, task.seconds);
    if (allowance) task.allowance = allowance;
    await deps.charges.reserve(creation, {});
    admitted = await countTaskRefusals(deps.metrics, request, deps.engine.submit(task));
    const lost = lossHeader(choice.losses, creation.fieldNames, decoded.dropped);
    if (lost !== '') void reply.header('x-sluice-dropped', lost);
  } catch (error) {
    // If the task may have been recorded, its images must not be deleted.
    if (!mayBeStored(error)) await discardContent(deps.content, stored);
    throw error;
  }
  if (admitted.replayed) {
    await discardContent(deps.content, stored);
    void reply.header('idempotent-replayed', 'true');
  }
  return admitted;
}

/** Returns the callback URL of the request, and the origin to use for links in webhooks. */
function callbackOf<R extends MediaRequest, W>(
  { links, callbackOrigins }: MediaDeps,
  { request, callbackShape: shape = 'event' }: TaskCreation<R, W>,
  { callbackUrl }: DecodedMedia<W>,
): Pick<NewTask, 'callback' | 'origin'> {
  const origin = links.originOf(request);
  return {
    ...(origin !== undefined && { origin }),
    ...(callbackUrl !== undefined && {
      callback: { url: checkCallback(callbackUrl, callbackOrigins, 'callback_url'), shape },
    }),
  };
}

function choose<R extends MediaRequest, W>(
  deps: MediaDeps,
  creation: TaskCreation<R, W>,
  { model: requested, request, images, dropped = [] }: DecodedMedia<W>,
): Choice {
  const { fieldNames, kind } = creation;
  const modelField = fieldNames.model ?? 'model';
  const model = requested ?? deps.defaultModels[kind];
  if (model === undefined) {
    throw new GatewayError('invalid_request', `${modelField} is required.`, { param: modelField });
  }
  const resolvedModel = findModel(deps.catalog, creation, model, modelField);
  if (!mayServe(resolvedModel, kind)) throw unsuitableModel(model, `generate ${kind}s`, modelField);
  const models = [model, ...resolvedModel.targets.slice(0, 1).map((target) => target.model)];
  const params = creation.complete(request, images.map(asStored), models);
  const strict = creation.apiKey.strict || resolvedModel.model.strict;
  const [droppedField] = dropped;
  if (strict && droppedField !== undefined) throw strictModeError([droppedField]);
  const reviewed = reviewTargets(deps.accounts, {
    model,
    targets:
      creation.targets ?? resolvedModel.targets.map((target) => ({ upstream: target.upstream, model: target.model })),
    request: params,
    fieldNames,
    strict,
  });
  // If the upstream drops the duration, the model's default duration applies.
  const isDropped = reviewed.losses.some(({ field, how }) => field === 'seconds' && how === 'dropped');
  const requestedSeconds = params.kind === 'video' && !isDropped ? params.seconds : undefined;
  return {
    ...reviewed,
    model,
    models,
    price: resolvedModel.model.price,
    seconds: reviewed.seconds ?? requestedSeconds ?? creation.usualSeconds ?? resolvedModel.model.default_seconds,
  };
}

/** Converts an inline image for the review, which reads its role and size but not its bytes. */
function asStored(image: InputImage | InlineImage): InputImage {
  if (!('base64' in image)) return image;
  const { role, mediaType = '', base64 } = image;
  const bytes = Math.floor((base64.length * 3) / 4);
  return { role, source: { kind: 'stored', key: '', mediaType, filename: '', bytes } };
}

async function storeInline(deps: MediaDeps, inline: InlineImage, stored: string[]): Promise<InputImage> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(inline.base64, 'base64');
  }
  const file = await storeImage(deps.content, bytes(), inline.param, 'input', deps.limits.upload_bytes);
  stored.push(file.key);
  const { sha256: _hash, field: _field, ...source } = file;
  return { role: inline.role, source: { kind: 'stored', ...source } };
}

function withoutHash<T extends { sha256: string }>({ sha256: _hash, ...file }: T): Omit<T, 'sha256'> {
  return file;
}

function digestOf({ fields, files }: ReadForm): string {
  const parts = [fields ?? null, ...files.map(({ field, sha256 }) => [field, sha256])];
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}

function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^[\x21-\x7e]([\x20-\x7e]{0,253}[\x21-\x7e])?$/.test(header)) return header;
  throw new GatewayError('invalid_request', 'Idempotency-Key must be 1 to 255 printable ASCII characters.', {
    param: 'Idempotency-Key',
  });
}

/** Published SDKs report the number of their retries in this header (openai-node 7, `client.ts`). */
function readRetryCount(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,3}$/.test(header) ? Number(header) : 0;
}

/**
 * Whether the task may have been recorded even though the call failed. The engine marks this error as not retryable.
 */
function mayBeStored(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'store_unavailable' && !error.retryable;
}
