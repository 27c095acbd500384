import {
  type CallbackShape,
  GatewayError,
  type InputImage,
  type MediaKind,
  type MediaRequest,
} from '@sluice/canonical';
import { type DecodedMedia, decodeMaxCost, type FieldNames, type InlineImage, type MediaForm } from '@sluice/protocols';
import { type NewTask, requestedUnits, type TaskTarget } from '@sluice/tasks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { checkCallback } from '../http/public-url.ts';
import { taskPrice } from '../metering/task-price.ts';
import { findModel } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import { strictModeError } from '../routing/strict-mode-error.ts';
import { unsuitableModel } from '../routing/unsuitable-model.ts';
import { checkDepth } from './check-depth.ts';
import { checkImages } from './check-images.ts';
import type { MediaDeps } from './media-deps.ts';
import type { ReadForm } from './read-form.ts';
import { lossHeader, type Reviewed, reviewTargets } from './review-targets.ts';

/** A request that creates a task. */
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

/** A validated request that creates a task. Nothing is recorded yet. */
export interface PreparedTask<R extends MediaRequest, W> {
  /** The creation with the key's current limits. */
  creation: TaskCreation<R, W>;
  decoded: DecodedMedia<W>;
  callback: Pick<NewTask, 'callback' | 'origin'>;
  choice: Choice;
  /** The client's limit for the cost of the task. */
  maxCostUsd?: number;
}

export interface Choice extends Reviewed {
  /** The targets with their prices, as far as these are known. */
  targets: TaskTarget[];
  kind: MediaKind;
  model: string;
  models: readonly string[];
  seconds: string;
  /** The requested images, or seconds of video. */
  units: number;
}

/** @throws GatewayError */
export function prepareTask<R extends MediaRequest, W>(
  deps: MediaDeps,
  call: TaskCreation<R, W>,
  form: ReadForm,
): PreparedTask<R, W> {
  // Authenticates again, because the key may have been revoked or its limits may have changed during a long upload.
  const creation = { ...call, apiKey: deps.callerOf(call.request) };
  checkDepth(form.fields);
  const { fields = {}, maxCostUsd } = decodeMaxCost(form.fields);
  const decoded = creation.decode({ fields, files: form.files.map(withoutHash) });
  const callback = callbackOf(deps, creation, decoded);
  const choice = choose(deps, creation, decoded);
  checkImages(decoded.images, deps.imageOrigins, creation.fieldNames);
  return { creation, decoded, callback, choice, ...(maxCostUsd !== undefined && { maxCostUsd }) };
}

/** Lists the request's fields that the upstream does not receive in a header of the response. */
export function reportLosses<R extends MediaRequest, W>({ creation, decoded, choice }: PreparedTask<R, W>): void {
  const lost = lossHeader(choice.losses, creation.fieldNames, decoded.dropped);
  if (lost !== '') void creation.reply.header('x-sluice-dropped', lost);
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
  const seconds = reviewed.seconds ?? requestedSeconds ?? creation.usualSeconds ?? resolvedModel.model.default_seconds;
  const targets = reviewed.targets.map((target) => {
    const price = taskPrice(deps.prices.priceOf(resolvedModel.model, target), params, seconds);
    return { ...target, ...(price && { price }) };
  });
  return { ...reviewed, targets, kind, model, models, seconds, units: requestedUnits(params, seconds) };
}

/** Converts an inline image for the review, which reads its role and size but not its bytes. */
function asStored(image: InputImage | InlineImage): InputImage {
  if (!('base64' in image)) return image;
  const { role, mediaType = '', base64 } = image;
  const bytes = Math.floor((base64.length * 3) / 4);
  return { role, source: { kind: 'stored', key: '', mediaType, filename: '', bytes } };
}

function withoutHash<T extends { sha256: string }>({ sha256: _hash, ...file }: T): Omit<T, 'sha256'> {
  return file;
}
