import type { MediaLossReport, VideoRequest } from '@sluice/canonical';
import { inputCounts, type ReplicateVideo, replicateVideo, type VideoModel } from '@sluice/vendors';
import { FRAMES, LENGTHS } from '../media/length-options.ts';
import { defined, hasImage, planVideo } from '../media/plan.ts';
import { reportsOneOf } from '../media/vendor-options.ts';
import { named, type ReplicatePlan, withOptions } from './inputs.ts';
import { modelCallOf } from './model-call.ts';
import { frameInputs } from './video-frame.ts';

/**
 * Replicate has no names that all its models share, and a model ignores an input that it does not know.
 * @throws {UnsupportedParamsError} @throws GatewayError for a name that no model can have
 */
export function planReplicateVideo(name: string, request: VideoRequest, report: MediaLossReport): ReplicatePlan {
  const call = modelCallOf(name);
  const base = replicateVideo(call.name);
  const able: ReplicateVideo = {
    ...base,
    ...(hasImage(request, 'reference') && base.referring),
    ...(hasImage(request, 'last_frame') && base.ending),
  };
  const { prompt, duration, fields } = planVideo(
    { ...modelOf(able), images: inputCounts(base.images) },
    request,
    report,
  );
  const isLong = (duration ?? 0) > (able.long?.over ?? Infinity);
  const { seconds: length, images, names } = able;
  const field = length === 'any' ? 'duration' : length && (length.field ?? 'duration');
  const inputs = {
    ...(field && defined({ [field]: duration })),
    ...frameInputs(request, { ...able, ...(isLong && able.long) }, report),
    ...named(fields, names),
  };
  const decided = able.isGuess ? [] : [field ?? '', ...Object.values(images).map((input) => input.field)];
  const input = withOptions(request.metadata, { prompt, inputs, decided });
  return { call, input, images, seconds: field && secondsIn(input, field) };
}

function modelOf(model: ReplicateVideo): VideoModel {
  const { images, seconds, names, isGuess, alwaysSounds = false } = model;
  return {
    ...model,
    images: inputCounts(images),
    promptless: isGuess ? 'image' : undefined,
    takes: Object.keys(names) as (keyof typeof names)[] as VideoModel['takes'],
    fixed: names.audio === undefined ? { audio: alwaysSounds } : undefined,
    seconds: seconds === 'any' ? undefined : (seconds?.choices ?? []),
    usualSeconds: seconds === 'any' ? undefined : seconds?.usual,
    shapes: undefined,
    resolutions: undefined,
  };
}

/**
 * The duration in the input, which may be a vendor option of any format. If an option says it by another name as well,
 * only the video shows which of them the model heeds.
 */
function secondsIn(input: Record<string, unknown>, field: string): string | undefined {
  const { [field]: value, ...others } = input;
  if (reportsOneOf(others, [...LENGTHS, ...FRAMES])) return undefined;
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(text) && Number(text) > 0 ? String(Number(text)) : undefined;
}
