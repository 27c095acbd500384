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
import { taskAllowance } from '../metering/task-allowance.ts';
import { abortReason } from '../http/abort-requests.ts';
import { printable } from '../http/printable.ts';
import { canonicalJson } from './canonical-json.ts';
import { readForm, type ReadForm, storeImage } from './read-form.ts';
import { checkCallback } from '../http/public-url.ts';
import { checkImages } from './check-images.ts';
import { checkDepth } from './check-depth.ts';
import type { MediaDeps } from './media-deps.ts';
import { lossHeader, type Reviewed, reviewTargets } from './review-targets.ts';

/** A call that makes a task. */
export interface TaskCreation<R extends MediaRequest, W = R> {
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Names of multipart fields that may carry files. */
  fileFields: readonly string[];
  /** Names the operation, so that one idempotency key used on two of them means two tasks. */
  operation: string;
  fieldNames: FieldNames;
  /** How a callback is spelled; absent: as an event. */
  callbackShape?: CallbackShape | undefined;
  /** What is made. */
  kind: MediaKind;
  decode(form: MediaForm): DecodedMedia<W>;
  /** The routes, when they are not those of the model: as for a remix. */
  targets?: readonly TaskTarget[];
  /** The duration told until the upstream says better; absent: the model's. */
  usualSeconds?: string;
  /**
   * Puts a request together from what was decoded and its pictures.
   * @param models all names of the model: the one asked for and the first route's
   */
  complete(request: Omit<W, 'images'>, images: InputImage[], models: readonly string[]): R;
  /** Aborts when the client has left. */
  disconnected: AbortSignal;
}

/** Sides that are known of a model before a task is made with it. */
interface Choice extends Reviewed {
  model: string;
  /** All names of it: the one asked for and the first route's. */
  models: readonly string[];
  seconds: string;
  /** What the model costs. */
  price: ModelPrice | undefined;
}

/**
 * Makes a task of a request: reads the body, decodes it, holds the wish against the model's routes, stores its
 * pictures, and records the task. Whatever goes wrong before the task is recorded leaves nothing behind.
 * @throws GatewayError
 */
export async function createTask<R extends MediaRequest, W = R>(
  deps: MediaDeps,
  asked: TaskCreation<R, W>,
): Promise<AdmittedTask> {
  const { request, reply, disconnected } = asked;
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key']);
  const form = await readForm(request, deps.content, deps.limits, asked.fileFields);
  const stored = form.files.map(({ key }) => key);
  let admitted: AdmittedTask;
  try {
    // The body may have taken minutes: a key that was revoked meanwhile makes no task, and old limits are not told.
    const creation = { ...asked, apiKey: deps.callerOf(request) };
    checkDepth(form.fields);
    const decoded = creation.decode({ fields: form.fields ?? {}, files: form.files.map(withoutHash) });
    const callback = callbackOf(deps, creation, decoded);
    const choice = choose(deps, creation, decoded);
    checkImages(decoded.images, deps.imageOrigins, creation.fieldNames);
    const images: InputImage[] = [];
    for (const image of decoded.images) {
      images.push('base64' in image ? await storeInline(deps, image, stored) : image);
    }
    // A client that has left gets no answer, so nothing may begin for it: its repeat is the one that counts.
    const cut = abortReason(disconnected);
    if (cut) throw cut;
    if (disconnected.aborted)
      throw new GatewayError('invalid_request', 'The client left before the request was complete.');
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
    admitted = await deps.engine.submit(task);
    const lost = lossHeader(choice.losses, creation.fieldNames, decoded.dropped);
    if (lost !== '') void reply.header('x-sluice-dropped', lost);
  } catch (error) {
    // A task that may have been recorded needs its pictures.
    if (!mayBeStored(error)) await discardContent(deps.content, stored);
    throw error;
  }
  if (admitted.replayed) {
    await discardContent(deps.content, stored);
    void reply.header('idempotent-replayed', 'true');
  }
  return admitted;
}

/** Who is told of the end of the task, and where the links that webhooks tell shall lead. */
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
  { model: asked, request, images, dropped = [] }: DecodedMedia<W>,
): Choice {
  const { fieldNames, kind } = creation;
  const modelField = fieldNames.model ?? 'model';
  const model = asked ?? deps.defaultModels[kind];
  if (model === undefined) {
    throw new GatewayError('invalid_request', `${modelField} is required.`, { param: modelField });
  }
  const found = findModel(deps.catalog, creation.apiKey, model, modelField);
  if (!mayServe(found, kind)) {
    throw new GatewayError('invalid_request', `The model ${printable(model)} does not make ${kind}s.`, {
      param: modelField,
    });
  }
  const models = [model, ...found.targets.slice(0, 1).map((target) => target.model)];
  const params = creation.complete(request, images.map(asStored), models);
  const strict = creation.apiKey.strict || found.model.strict;
  const [droppedField] = dropped;
  if (strict && droppedField !== undefined) {
    const what = `${droppedField} is not passed on to any upstream, and strict mode forbids to leave it out.`;
    throw new GatewayError('unsupported_parameter', what, { param: droppedField });
  }
  const reviewed = reviewTargets(deps.accounts, {
    model,
    targets: creation.targets ?? found.targets.map((target) => ({ upstream: target.upstream, model: target.model })),
    request: params,
    fieldNames,
    strict,
  });
  // What the upstream cannot be told is no more than the model's usual duration.
  const isLost = reviewed.losses.some(({ field, how }) => field === 'seconds' && how === 'dropped');
  const wanted = params.kind === 'video' && !isLost ? params.seconds : undefined;
  return {
    ...reviewed,
    model,
    models,
    price: found.model.price,
    seconds: reviewed.seconds ?? wanted ?? creation.usualSeconds ?? found.model.default_seconds,
  };
}

/** A picture for the review, which asks for roles and not for bytes. */
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
  throw new GatewayError('invalid_request', 'Idempotency-Key must have 1 to 255 printable characters.', {
    param: 'Idempotency-Key',
  });
}

/** How often a published SDK has repeated the request by itself (openai-node 7, `client.ts`). */
function readRetryCount(header: string | string[] | undefined): number {
  return typeof header === 'string' && /^\d{1,3}$/.test(header) ? Number(header) : 0;
}

/** Whether the task may be recorded although recording it failed, which the engine tells by forbidding a repeat. */
function mayBeStored(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'store_unavailable' && !error.retryable;
}
