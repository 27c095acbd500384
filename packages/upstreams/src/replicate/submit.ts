import type { MediaSubmission, SubmitOutcome } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import type { VendorCall } from '../media/media-wire.ts';
import { refusedSubmission } from '../media/outcomes/decision.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { laterOf, decisionOf } from './errors.ts';
import { imageFields, type ReplicatePlan } from './inputs.ts';
import { WirePrediction, WireRefusal } from './wire.ts';

/** Responses repeat the input: 10 MB of images, a third larger in base64. */
export const RESPONSE_BYTES = 16 * 1024 * 1024;

/** Creates a prediction. Without `Prefer: wait`, the vendor responds at once. */
export async function replicateSubmission(
  { images }: MediaSubmission,
  { call, input, images: pictures }: ReplicatePlan,
): Promise<VendorCall> {
  const { path, version } = call;
  return {
    method: 'POST',
    path,
    json: {
      ...(version !== undefined && { version }),
      input: { ...input, ...(await imageFields(images, pictures)) },
    },
    maxResponseBytes: RESPONSE_BYTES,
  };
}

/** Reads a prediction, or `{title, detail}`. */
export function readReplicateSubmission(
  tools: WireTools,
  response: UpstreamResponse,
  { seconds }: ReplicatePlan,
): SubmitOutcome {
  const { status, body } = response;
  if (status >= 200 && status < 300) {
    const id = WirePrediction.parse(body)?.id;
    if (id === undefined) return { kind: 'unknown', message: `The upstream returned HTTP ${status} without an id` };
    return { kind: 'accepted', upstreamId: id, ...(seconds !== undefined && { seconds }), ...tools.later(response) };
  }
  const refusal = WireRefusal.parse(body);
  const words = refusal?.detail ?? refusal?.title;
  const reason = tools.reason(words, `The upstream refused the request (HTTP ${status})`);
  return refusedSubmission(decisionOf(status, words), reason, laterOf(tools, response, words));
}
