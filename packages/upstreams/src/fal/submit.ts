import type {
  ImageRequest,
  ImageRole,
  MediaSubmission,
  OpenedImage,
  SubmitOutcome,
  VideoRequest,
} from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { limitPictureBytes, pictureDataUrl } from '../media/picture-bytes.ts';
import { vendorOptions } from '../media/vendor-options.ts';
import { refusedSubmission } from '../media/verdict.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { dialectOf, imageDialectOf } from './dialects.ts';
import { verdictOf, wordsOf } from './errors.ts';
import type { FalPlan } from './plan-video.ts';
import { WireQueued, WireRefusal } from './wire.ts';

/** Names that models have for the length of a film: the wish alone decides it, since it is paid by the second. */
const LENGTHS = [
  'duration',
  'duration_seconds',
  'seconds',
  'num_seconds',
  'total_seconds',
  'total_second_length',
  'video_length',
  'video_duration',
  'length',
];
/** The same in frames: the only way to say it to models that have no seconds, whose films are measured. */
const FRAMES = ['num_frames', 'number_of_frames', 'n_frames', 'frames', 'frame_count', 'max_frames'];
/** `sync_mode` would put the files into the result. */
const DECIDED = ['prompt', 'sync_mode', ...LENGTHS];
/** Megabytes of pictures, one by one and together: fal names no limit, and what comes back repeats them in base64. */
const LARGEST = { each: 30, all: 45 };
/** Refusals repeat the input, with its pictures. */
export const ANSWER_BYTES = 64 * 1024 * 1024;

/** The call that makes a video. */
export async function falVideoSubmission(wish: MediaSubmission<VideoRequest>, plan: FalPlan): Promise<VendorCall> {
  limitPictureBytes(wish.images, LARGEST);
  const { first, last, references } = dialectOf(wish.model);
  const [[begins], [ends], shown] = await Promise.all([
    picturesOf(wish, 'first_frame'),
    picturesOf(wish, 'last_frame'),
    picturesOf(wish, 'reference'),
  ]);
  return callFor(wish, plan, {
    ...(begins !== undefined && { [first]: begins }),
    ...(ends !== undefined && { [last]: ends }),
    ...(shown.length > 0 && { [references]: shown }),
  });
}

/** The call that makes images. */
export async function falImageSubmission(wish: MediaSubmission<ImageRequest>, plan: FalPlan): Promise<VendorCall> {
  limitPictureBytes(wish.images, LARGEST);
  const { takesList, mask } = imageDialectOf(wish.model);
  const [shown, [where]] = await Promise.all([picturesOf(wish, 'reference'), picturesOf(wish, 'mask')]);
  const isList = takesList || shown.length > 1;
  return callFor(wish, plan, {
    ...(shown.length > 0 && (isList ? { image_urls: shown } : { image_url: shown[0] })),
    ...(where !== undefined && { [mask]: where }),
  });
}

function picturesOf({ images }: { images: OpenedImage[] }, role: ImageRole): Promise<string[]> {
  return Promise.all(images.filter((image) => image.role === role).map(pictureDataUrl));
}

/** Vendor options say what the wish has not. */
function callFor(
  { request }: MediaSubmission<VideoRequest | ImageRequest>,
  { path, prompt, fields }: FalPlan,
  pictures: object,
): VendorCall {
  const said = { ...fields, ...(prompt !== undefined && { prompt }), ...pictures };
  const decided = [...DECIDED, ...('duration' in fields ? FRAMES : []), ...Object.keys(said)];
  const json = { ...vendorOptions(request.metadata, decided), ...said };
  return { method: 'POST', path: path.endpoint, json, maxAnswerBytes: ANSWER_BYTES };
}

/** Reads the answer: an id, or `{detail}`. The URLs beside the id are not used: we know where our own requests lie. */
export function readFalSubmission(tools: WireTools, answer: UpstreamAnswer, plan: FalPlan): SubmitOutcome {
  const { status, body } = answer;
  if (status >= 200 && status < 300) {
    const id = WireQueued.parse(body)?.request_id;
    if (id === undefined) return { kind: 'unknown', message: `The upstream answered HTTP ${status} without an id` };
    const { seconds, path } = plan;
    return { kind: 'accepted', upstreamId: id, path: path.app, ...(seconds !== undefined && { seconds }) };
  }
  const refusal = WireRefusal.parse(body);
  const reason = tools.reason(wordsOf(refusal), `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(verdictOf(status, refusal), reason, tools.later(answer));
}
