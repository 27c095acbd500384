import type { MediaLossReport, VideoRequest } from '@sluice/canonical';
import { inputCounts, type ReplicateVideo, replicateVideo, type VideoModel } from '@sluice/vendors';
import { FRAMES, LENGTHS } from '../media/plan/length-options.ts';
import { defined, hasImage, planVideo } from '../media/plan/plan.ts';
import { reportsOneOf } from '../media/plan/vendor-options.ts';
import { renamed, type ReplicatePlan, withOptions } from './inputs.ts';
import { modelCallOf } from './model-call.ts';
import { frameInputs } from './video-frame.ts';

/**
 * Plans a video. Replicate's models use different input names and ignore unknown inputs.
 * @throws {UnsupportedParamsError} @throws GatewayError if the name is invalid
 */
export function planReplicateVideo(name: string, request: VideoRequest, report: MediaLossReport): ReplicatePlan {
  const call = modelCallOf(name);
  const base = replicateVideo(call.name);
  const able: ReplicateVideo = {
    ...base,
    ...(hasImage(request, 'reference') && base.withReferences),
    ...(hasImage(request, 'last_frame') && base.withLastFrame),
  };
  const { prompt, duration, fields } = planVideo(
    { ...modelOf(able), images: inputCounts(base.images) },
    request,
    report,
  );
  const isLong = (duration ?? 0) > (able.forLongVideos?.over ?? Infinity);
  const { seconds: length, images, names } = able;
  const field = length === 'any' ? 'duration' : length && (length.field ?? 'duration');
  const inputs = {
    ...(field && defined({ [field]: duration })),
    ...frameInputs(request, { ...able, ...(isLong && able.forLongVideos) }, report),
    ...renamed(fields, names),
  };
  const decided = able.usesCommonNames ? [] : [field ?? '', ...Object.values(images).map((input) => input.field)];
  const input = withOptions(request.metadata, { prompt, inputs, decided });
  return { call, input, images, seconds: field && secondsIn(input, field) };
}

function modelOf(model: ReplicateVideo): VideoModel {
  const { images, seconds, names, usesCommonNames, alwaysHasAudio = false } = model;
  return {
    ...model,
    images: inputCounts(images),
    optionalPrompt: usesCommonNames ? 'image' : undefined,
    optionalFields: Object.keys(names) as (keyof typeof names)[] as VideoModel['optionalFields'],
    fixed: names.audio === undefined ? { audio: alwaysHasAudio } : undefined,
    seconds: seconds === 'any' ? undefined : (seconds?.choices ?? []),
    defaultSeconds: seconds === 'any' ? undefined : seconds?.default,
    aspectRatios: undefined,
    resolutions: undefined,
  };
}

/**
 * Returns the duration in the input, which a vendor option may have set in any format. Returns undefined if an option
 * also sets a duration under another name, because only the finished video shows which one the model used.
 */
function secondsIn(input: Record<string, unknown>, field: string): string | undefined {
  const { [field]: value, ...others } = input;
  if (reportsOneOf(others, [...LENGTHS, ...FRAMES])) return undefined;
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(text) && Number(text) > 0 ? String(Number(text)) : undefined;
}
