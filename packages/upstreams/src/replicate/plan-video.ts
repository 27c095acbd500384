import { type MediaLossReport, UnsupportedParamsError, type VideoRequest } from '@sluice/canonical';
import { refuseMixedImages } from '../media/content-items.ts';
import {
  dropFields,
  promptBesideImages,
  promptOf,
  refuseRemix,
  requireImages,
  secondsOf,
  fullSecondsOf,
} from '../media/limit-params.ts';
import { FRAMES, LENGTHS } from '../media/length-options.ts';
import { reportsOneOf } from '../media/vendor-options.ts';
import { plainInputs, type ReplicatePlan, withOptions } from './inputs.ts';
import { modelCallOf } from './model-call.ts';
import { checkImageCount } from './image-inputs.ts';
import { frameInputs } from './video-frame.ts';
import { type VideoModel, videoModelOf } from './video-models.ts';

/**
 * Works out what a model is asked for. Replicate has no names that all its models share, and a model ignores an input
 * that it does not know.
 * @throws {UnsupportedParamsError} for what the model cannot do
 * @throws GatewayError for a name that no model can have
 */
export function planReplicateVideo(model: string, request: VideoRequest, report: MediaLossReport): ReplicatePlan {
  const call = modelCallOf(model);
  const base = videoModelOf(call.name);
  refuseRemix(request);
  checkImages(request, base);
  const has = (role: string): boolean => request.images.some((image) => image.role === role);
  const able = { ...base, ...(has('reference') && base.referring), ...(has('last_frame') && base.ending) };
  const isGuess = base.isGuess === true;
  const prompt = isGuess ? promptBesideImages(request, Infinity) : promptOf(request, able.maxPromptLength ?? Infinity);
  const duration = durationOf(able, request, report);
  const isLong = (duration?.wanted ?? 0) > (able.long?.over ?? Infinity);
  dropFields(request, ['watermark'], report);
  const input = withOptions(request.metadata, {
    prompt,
    inputs: {
      ...(duration?.wanted !== undefined && { [duration.field]: duration.wanted }),
      ...frameInputs(request, { ...able, ...(isLong && able.long) }, report),
      ...plainInputs(request, plainFields(request, able), able.names, report),
    },
    decided: isGuess ? [] : [duration?.field ?? '', ...Object.values(able.images).map(({ field }) => field)],
  });
  const seconds = duration && secondsIn(input, duration.field);
  return { call, input, images: able.images, ...(seconds !== undefined && { seconds }) };
}

/** The input that tells the duration, and what it will tell. */
interface Duration {
  field: string;
  wanted: number | undefined;
}

function durationOf({ seconds }: VideoModel, request: VideoRequest, report: MediaLossReport): Duration | undefined {
  if (seconds === 'any') return { field: 'duration', wanted: fullSecondsOf(request, report) };
  if (!seconds) {
    dropFields(request, ['seconds'], report);
    return undefined;
  }
  const { choices, usual, field = 'duration' } = seconds;
  return { field, wanted: secondsOf(request, choices, usual, report) };
}

/**
 * Whoever has said it: vendor options may, and in any words. Where they say it by another name as well, only the film can
 * tell which of them its model heeds.
 */
function secondsIn(input: Record<string, unknown>, field: string): string | undefined {
  const told = input[field];
  const { [field]: _told, ...others } = input;
  if (reportsOneOf(others, [...LENGTHS, ...FRAMES])) return undefined;
  const text = typeof told === 'number' || typeof told === 'string' ? String(told) : '';
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(text) && Number(text) > 0 ? String(Number(text)) : undefined;
}

/** The fields that are passed on, or lost: not a switch for sound that is as the model has it anyway. */
function plainFields({ audio }: VideoRequest, { names, alwaysSounds }: VideoModel) {
  const isAsWished = names.audio === undefined && audio === (alwaysSounds === true);
  return [...(isAsWished ? [] : (['audio'] as const)), 'seed', 'negativePrompt', 'fps', 'promptExtend'] as const;
}

function checkImages(request: VideoRequest, { images: imageInputs, needs, mixes, takesLastAlone }: VideoModel): void {
  const { images } = request;
  checkImageCount(images, imageInputs);
  requireImages(images, needs ?? []);
  if (!mixes) refuseMixedImages(request);
  const has = (role: string): boolean => images.some((image) => image.role === role);
  if (!takesLastAlone && has('last_frame') && !has('first_frame')) {
    throw new UnsupportedParamsError('lastFrame', 'is taken only with a first frame by this model');
  }
}
