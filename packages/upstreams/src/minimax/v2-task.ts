import type { UpstreamJob, VideoRequest } from '@sluice/canonical';
import { at, isEmptyValue } from '../media/lenient.ts';
import type { MediaWire } from '../media/media-wire.ts';
import { failureCodeOf } from '../media/outcomes/decision.ts';
import { COMMON_STATES, EXPIRED_TEXT } from '../media/outcomes/task-outcome.ts';
import { contentItems } from '../media/plan/content-items.ts';
import { vendorOptions } from '../media/plan/vendor-options.ts';
import { decisionOfCode } from './codes.ts';
import type { PlanV2 } from './v2-plan.ts';
import { WireTaskV2 } from './wire.ts';

const PATH = '/v2/video_generation';

const pathSegment = ({ upstreamId }: UpstreamJob) => encodeURIComponent(upstreamId);

export const minimaxV2 = {
  submission: async ({ model, request, images }, { prompt, options }) => ({
    method: 'POST',
    path: PATH,
    json: {
      ...vendorOptions(request.metadata, ['model', 'content', ...Object.keys(options)]),
      model,
      content: await contentItems(prompt, images),
      ...options,
    },
  }),
  poll: (job) => ({ method: 'GET', path: `/v2/query/video_generation/${pathSegment(job)}` }),
  // Each poll returns a new URL.
  readPoll: (response, job, tools) => {
    const { status, body } = response;
    if (status !== 200) return tools.noState(response);
    const { status: state, content, error, duration: seconds } = WireTaskV2.parse(body)?.task ?? {};
    const task = {
      state: COMMON_STATES.get(state),
      outputs: content?.url === undefined ? [] : [{ url: content.url }],
      isEmpty: isEmptyValue(at(body, 'task', 'content')) || isEmptyValue(at(body, 'task', 'content', 'url')),
      failure: {
        code: state === 'expired' ? 'provider_error' : failureCodeOf(decisionOfCode(error?.code) ?? 'unknown'),
        text: state === 'expired' ? EXPIRED_TEXT : error?.message,
      },
      seconds,
    } as const;
    return tools.polled(response, task, job);
  },
  cancellation: {
    call: (job) => ({ method: 'DELETE', path: `${PATH}/${pathSegment(job)}` }),
    isCancelable: (body) => WireTaskV2.parse(body)?.task?.status === 'queued',
  },
} satisfies Partial<MediaWire<VideoRequest, PlanV2>>;
