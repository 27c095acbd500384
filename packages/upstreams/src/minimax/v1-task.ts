import { type PollOutcome, type VideoRequest, UPSTREAM_MESSAGES, unexpectedMessage } from '@sluice/canonical';
import { at, isEmptyValue } from '../media/lenient.ts';
import type { CallVendor, MediaWire } from '../media/media-wire.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import { frameSize, type TaskState } from '../media/outcomes/task-outcome.ts';
import { imageDataUrl } from '../media/plan/image-bytes.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { decisionOfCode } from './codes.ts';
import type { PlanV1 } from './v1-plan.ts';
import { WireFile, WireTaskV1 } from './wire.ts';

const DECIDED = ['model', 'prompt', 'duration', 'first_frame_image', 'last_frame_image', 'subject_reference'];
const STATES = new Map<string | undefined, TaskState>([
  ['Preparing', 'running'],
  ['Queueing', 'running'],
  ['Processing', 'running'],
  ['Success', 'succeeded'],
  ['Fail', 'failed'],
  ['Failed', 'failed'],
]);

export const minimaxV1 = {
  submission: async ({ model, request, images }, { prompt, options, roles }) => {
    const fields = images.map(async (image, index) =>
      imageField(roles[index] ?? image.role, await imageDataUrl(image)),
    );
    return {
      method: 'POST',
      path: '/v1/video_generation',
      json: {
        ...vendorOptions(request.metadata, [...DECIDED, ...Object.keys(options)]),
        model,
        prompt,
        ...Object.assign({}, ...(await Promise.all(fields))),
        ...options,
      },
    };
  },
  poll: ({ upstreamId }) => ({ method: 'GET', path: `/v1/query/video_generation?${query({ task_id: upstreamId })}` }),
  // A finished task contains a file id instead of a URL. Each poll requests a new URL, because URLs are short-lived.
  readPoll: async (response, job, tools, send) => {
    const { status, body } = response;
    if (status !== 200) return tools.noState(response);
    const { base_resp, ...task } = WireTaskV1.parse(body) ?? {};
    const code = base_resp?.status_code ?? 0;
    const decision = decisionOfCode(code);
    // Sometimes only the code reports moderation.
    const isFailed = STATES.get(task.status) === 'failed' || (decision === 'moderated' && task.status === undefined);
    if (decision === 'credential' || decision === 'busy' || (code !== 0 && !isFailed)) {
      const message = unexpectedMessage(`code ${code}`, 'poll');
      return { kind: 'unclear', message, ...tools.retryDelay(response) };
    }
    if (task.status === 'Success' && task.file_id !== undefined) return readFile(task, task.file_id, tools, send);
    // If the code is 0, the text describes only the successful poll.
    const text = code === 0 ? undefined : base_resp?.status_msg;
    const failure = { code: failureCodeOf(decision ?? 'unknown'), text };
    const state = isFailed ? 'failed' : STATES.get(task.status);
    return tools.polled(response, { state, failure, isEmpty: isEmptyValue(at(body, 'file_id')) }, job);
  },
} satisfies Partial<MediaWire<VideoRequest, PlanV1>>;

function imageField(role: string, url: string): object {
  switch (role) {
    case 'last_frame':
      return { last_frame_image: url };
    case 'reference':
      return { subject_reference: [{ type: 'character', image: [url] }] };
    default:
      return { first_frame_image: url };
  }
}

async function readFile(
  { video_width: width, video_height: height }: { video_width?: number; video_height?: number },
  id: string,
  tools: WireTools,
  send: CallVendor,
): Promise<PollOutcome> {
  const response = await send({ method: 'GET', path: `/v1/files/retrieve?${query({ file_id: id })}` });
  const file = WireFile.parse(response.body);
  const url = file?.file?.download_url;
  if (response.status !== 200 || (file?.base_resp?.status_code ?? 0) !== 0 || url === undefined) {
    return { kind: 'unclear', message: UPSTREAM_MESSAGES.noFileUrl, ...tools.retryDelay(response) };
  }
  return { kind: 'succeeded', outputs: [{ url }], size: frameSize(width, height) };
}

function query(fields: Record<string, string>): string {
  return new URLSearchParams(fields).toString();
}
