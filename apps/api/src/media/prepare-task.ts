import {
  accountName,
  type CallbackShape,
  GatewayError,
  type InputImage,
  type MediaKind,
  type MediaRequest,
  splitAccount,
} from '@sluice/canonical';
import type { ResolvedModel } from '@sluice/config';
import {
  type DecodedMedia,
  decodeMaxCost,
  decodeTaskOptions,
  type FieldNames,
  type MediaForm,
  type TaskOptions,
} from '@sluice/protocols';
import { type NewTask, requestedUnits, type TaskTarget } from '@sluice/tasks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { checkCallback } from '../http/public-url.ts';
import { taskPrice } from '../metering/task-price.ts';
import { findModel } from '../routing/find-model.ts';
import { mayServe } from '../routing/may-serve.ts';
import { poolTargets } from '../routing/pools/pool-targets.ts';
import { strictModeError } from '../routing/strict-mode-error.ts';
import { unsuitableModel } from '../routing/unsuitable-model.ts';
import { checkDepth } from './check-depth.ts';
import { checkImages } from './inputs/check-images.ts';
import { findFileImages, type PreparedImage } from './inputs/file-images.ts';
import type { MediaDeps } from './media-deps.ts';
import type { ReadForm } from './read-form.ts';
import { lostFields, type Reviewed, reviewTargets } from './review-targets.ts';

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
  /** The images of the decoded request, with the files that they refer to. */
  images: PreparedImage[];
  options: TaskOptions;
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
export async function prepareTask<R extends MediaRequest, W>(
  deps: MediaDeps,
  call: TaskCreation<R, W>,
  form: ReadForm,
): Promise<PreparedTask<R, W>> {
  // Authenticates again, because the key may have been revoked or its limits may have changed during a long upload.
  const creation = { ...call, apiKey: deps.callerOf(call.request) };
  checkDepth(form.fields);
  const { fields: ownFields = {}, maxCostUsd } = decodeMaxCost(form.fields);
  const { fields, options } = decodeTaskOptions(ownFields);
  const decoded = creation.decode({ fields, files: form.files });
  const callback = callbackOf(deps, creation, decoded);
  const images = await findFileImages(deps.files, creation.apiKey.name, decoded.images, deps.limits.upload_bytes);
  const choice = choose(deps, creation, decoded, images);
  checkImages(decoded.images, deps.imageOrigins, creation.fieldNames);
  return { creation, decoded, options, images, callback, choice, ...(maxCostUsd !== undefined && { maxCostUsd }) };
}

/** Returns the names of the request's fields that the upstream does not receive as sent. */
export function lostNames<R extends MediaRequest, W>({ creation, decoded, choice }: PreparedTask<R, W>): string[] {
  return lostFields(choice.losses, creation.fieldNames, decoded.dropped);
}

/** Lists the request's fields that the upstream does not receive in a header of the response. */
export function reportLosses<R extends MediaRequest, W>(prepared: PreparedTask<R, W>): void {
  const lost = lostNames(prepared).join(', ');
  if (lost !== '') void prepared.creation.reply.header('x-sluice-dropped', lost);
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
  { model: requested, request, dropped = [] }: DecodedMedia<W>,
  images: readonly PreparedImage[],
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
    targets: creation.targets ?? taskTargets(resolvedModel, deps.credentials),
    request: params,
    fieldNames,
    strict,
  });
  // If the upstream drops the duration, the model's default duration applies.
  const isDropped = reviewed.losses.some(({ field, how }) => field === 'seconds' && how === 'dropped');
  const requestedSeconds = params.kind === 'video' && !isDropped ? params.seconds : undefined;
  const seconds = reviewed.seconds ?? requestedSeconds ?? creation.usualSeconds ?? resolvedModel.model.default_seconds;
  const targets = reviewed.targets.map((target) => {
    const { upstream } = splitAccount(target.upstream);
    const price = taskPrice(deps.prices.priceOf(resolvedModel.model, { ...target, upstream }), params, seconds);
    return { ...target, ...(price && { price }) };
  });
  return { ...reviewed, targets, kind, model, models, seconds, units: requestedUnits(params, seconds) };
}

/** Returns the accounts that can run a task. Those that rest come last among the credentials of a route. */
function taskTargets(resolvedModel: ResolvedModel, credentials: MediaDeps['credentials']): TaskTarget[] {
  const targets = poolTargets(resolvedModel, credentials, ({ target }) => [{ target }]);
  return targets
    .map(({ target }) => ({ upstream: accountName(target), model: target.model, route: target.upstream }))
    .toSorted((one, other) => (one.route === other.route ? restsAt(one.upstream) - restsAt(other.upstream) : 0))
    .map(({ upstream, model }) => ({ upstream, model }));

  function restsAt(account: string): number {
    return Number(credentials.find(account)?.isResting ?? false);
  }
}

/** Converts an image that is not stored yet for the review, which reads its role and size but not its bytes. */
function asStored(image: PreparedImage): InputImage {
  if ('source' in image) return image;
  if ('file' in image) {
    const { mediaType, filename, bytes } = image.file;
    return { role: image.role, source: { kind: 'stored', key: '', mediaType, filename, bytes } };
  }
  const { role, mediaType = '', base64 } = image;
  const bytes = Math.floor((base64.length * 3) / 4);
  return { role, source: { kind: 'stored', key: '', mediaType, filename: '', bytes } };
}
