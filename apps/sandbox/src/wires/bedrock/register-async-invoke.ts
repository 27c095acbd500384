import type { FastifyInstance } from 'fastify';
import { jobState, type MediaJob } from '../../jobs/media-job.ts';
import { awsError } from '../aws/aws-error.ts';
import type { JobQuery, MediaWire } from '../media/media-wire.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { textIn } from '../media/text-in.ts';
import { pageOfJobs } from './page-of-jobs.ts';
import { digestOf, readVideoRequest } from './video-request.ts';

const ACCOUNT = 'arn:aws:bedrock:us-east-1:123456789012:async-invoke/';
const STATUSES = { queued: 'InProgress', in_progress: 'InProgress', completed: 'Completed', failed: 'Failed' } as const;
const FAILURES = {
  error: 'The request failed due to an error while processing the model.',
  moderation: 'The generated video has been blocked by our content filters.',
};

/** Serves the video models by `StartAsyncInvoke`. A request with a known token returns its invocation again. */
export function registerAsyncInvoke(scope: FastifyInstance, { now }: MediaVendor, wire: MediaWire): void {
  const invocations = () => wire.jobs().filter(({ kind }) => kind === 'video');

  scope.post('/async-invoke', async (request, reply) => {
    const { body } = request;
    const token = textIn(body, 'clientRequestToken');
    const known = token === '' ? undefined : invocations().find(({ reference }) => reference === token);
    if (known) {
      if (known.requestFields?.['digest'] === digestOf(body)) return reply.send({ invocationArn: ACCOUNT + known.id });
      throw awsError(400, 'ConflictException', 'The client request token was used for another request.');
    }
    return wire.submit(request, reply, {
      prompt: promptIn(body),
      read: () => readVideoRequest(body),
      response: ({ id }) => ({ invocationArn: ACCOUNT + id }),
    });
  });

  scope.get<{ Params: { arn: string } }>('/async-invoke/:arn', (request, reply) => {
    const { arn } = request.params;
    const job = wire.find(arn.startsWith(ACCOUNT) ? arn.slice(ACCOUNT.length) : arn, ({ kind }) => kind === 'video');
    return wire.poll(job, reply, {
      response: () => invocation(job, now()),
      garbled: () => ({ ...invocation(job, now()), status: 'Reticulating' }),
    });
  });

  scope.get<JobQuery>('/async-invoke', ({ query }, reply) => {
    const { items, nextToken } = pageOfJobs(invocations(), query, (job) => STATUSES[jobState(job, now()).status]);
    return reply.send({ asyncInvokeSummaries: items.map((job) => invocation(job, now())), nextToken });
  });
}

/** Returns the prompt in each format of `modelInput`, even if the rest of the body is invalid. */
function promptIn(body: unknown): string {
  const paths = [['textToVideoParams', 'text'], ['multiShotAutomatedParams', 'text'], ['prompt']];
  return paths.map((path) => textIn(body, 'modelInput', ...path)).join('');
}

function invocation(job: MediaJob, now: number): object {
  const { id, model, reference, createdAt, path = '' } = job;
  const state = jobState(job, now);
  const end = 'completedAt' in state ? state.completedAt : undefined;
  return {
    invocationArn: ACCOUNT + id,
    modelArn: `arn:aws:bedrock:us-east-1::foundation-model/${model}`,
    clientRequestToken: reference,
    status: STATUSES[state.status],
    failureMessage: state.status === 'failed' ? FAILURES[state.cause] : undefined,
    submitTime: new Date(createdAt).toISOString(),
    lastModifiedTime: new Date(end ?? createdAt).toISOString(),
    endTime: end === undefined ? undefined : new Date(end).toISOString(),
    outputDataConfig: { s3OutputDataConfig: { s3Uri: `${path}/${id}` } },
  };
}
