import type { JobOutput, PollOutcome, UpstreamJob, VideoRequest } from '@sluice/canonical';
import { storageOrigin } from '../http/google-storage.ts';
import type { MediaWire, VendorCall } from '../media/media-wire.ts';
import { planVertexVeo, type VeoPlan } from './plan.ts';
import { MAX_VEO_RESPONSE, readOperation, veoVideo } from './video.ts';

const OPERATION = /^projects\/[\w.:~-]+(?:\/[\w.~-]+)+\/operations\/[\w.~-]+$/;

/**
 * Veo on Vertex AI (Vertex AI docs, "Veo video generation API"). Operations are polled with a POST to the model. Videos
 * are in the response, or in Cloud Storage if the operator configured it.
 * @param outputUri the folder in Cloud Storage, e.g. `gs://bucket/folder`
 */
export function vertexVideo(outputUri?: string): MediaWire<VideoRequest, VeoPlan> {
  return {
    ...veoVideo,
    plan: planVertexVeo,
    submission: async (params, plan, tools) => withOutput(await veoVideo.submission(params, plan, tools), outputUri),
    readSubmission: (response, plan, tools) => readOperation(response, plan, tools, (name) => OPERATION.test(name)),
    poll: (job) => ({
      method: 'POST',
      path: `/models/${encodeURIComponent(job.model)}:fetchPredictOperation`,
      json: { operationName: job.path },
      maxResponseBytes: MAX_VEO_RESPONSE,
    }),
    readPoll: async (response, job, tools, send) => {
      const outcome = await veoVideo.readPoll?.(response, job, tools, send);
      return outcome ? withStorageUrls(outcome, job) : tools.noState(response);
    },
  };
}

function withOutput(call: VendorCall, storageUri: string | undefined): VendorCall {
  if (storageUri === undefined) return call;
  const body = call.json as { parameters: object };
  return { ...call, json: { ...body, parameters: { ...body.parameters, storageUri } } };
}

function withStorageUrls(outcome: PollOutcome, job: UpstreamJob): PollOutcome {
  if (outcome.kind !== 'succeeded' || !outcome.outputs) return outcome;
  const [first, ...others] = outcome.outputs.map((output) => withStorageUrl(output, job));
  return first ? { ...outcome, outputs: [first, ...others] } : outcome;
}

/** Converts the URI of an object to its URL in the JSON API of Cloud Storage. */
function withStorageUrl(output: JobOutput, { baseUrl }: UpstreamJob): JobOutput {
  const [, bucket, name] = /^gs:\/\/([^/]+)\/(.+)$/.exec(output.url ?? '') ?? [];
  if (bucket === undefined || name === undefined) return output;
  const path = `/storage/v1/b/${encodeURIComponent(bucket)}/o/${encodeURIComponent(name)}?alt=media`;
  return { ...output, url: storageOrigin(baseUrl) + path };
}
