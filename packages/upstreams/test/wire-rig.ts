import { UnsupportedParamsError, type UpstreamJob, type VideoRequest } from '@sluice/canonical';
import { createMediaUpstream } from '../src/media/create-media-upstream.ts';
import type { MediaWire } from '../src/media/media-wire.ts';
import { mediaContext } from './media-context.ts';
import { type JsonResponse, jsonVendor, type JsonVendor, mediaJob } from './media-rig.ts';

export type Wire = MediaWire<VideoRequest>;

export const WIRE: Wire = {
  plan: (model, { prompt }, report) => {
    if (prompt === 'never') throw new UnsupportedParamsError('prompt', 'is not for this model');
    report({ field: 'seed', how: 'dropped' });
    return { seconds: model };
  },
  submission: ({ request }) => ({ method: 'POST', path: '/jobs?x=1', json: { prompt: request.prompt } }),
  readSubmission: ({ status }) =>
    status === 200 ? { kind: 'accepted', upstreamId: 'up_1' } : { kind: 'unknown', message: `HTTP ${status}` },
  poll: ({ upstreamId }) => ({ method: 'GET', path: `/jobs/${upstreamId}` }),
  readPoll: ({ status }) => (status === 200 ? { kind: 'running' } : { kind: 'unclear', message: `HTTP ${status}` }),
};

const account = (origin: string) => ({ kind: 'any', base_url: `${origin}/v1/`, api_key: 'key-1' });
const sign = () => ({ authorization: 'Bearer key-1' });

export function upstream(origin: string, context = mediaContext([origin]), wire: Wire = WIRE) {
  return createMediaUpstream(account(origin), context, sign, wire);
}

export async function against(
  respond: () => JsonResponse,
  more: Partial<Wire>,
  play: (capability: ReturnType<typeof upstream>, vendor: JsonVendor, job: UpstreamJob) => Promise<void>,
) {
  await using vendor = await jsonVendor(respond);
  await using context = mediaContext([vendor.origin]);
  await play(upstream(vendor.origin, context, { ...WIRE, ...more }), vendor, mediaJob(`${vendor.origin}/v1`));
}
