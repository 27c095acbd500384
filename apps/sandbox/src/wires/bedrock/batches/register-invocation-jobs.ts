import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { BatchVendor } from '../../../batches/batch-vendor.ts';
import { createBatchWire } from '../../../batches/batch-wire.ts';
import { firstLine } from '../../../batches/json-lines.ts';
import { isEnded } from '../../../batches/vendor-batch.ts';
import { openScope } from '../../../http/open-scope.ts';
import { hexFrom } from '../../../jobs/job-id.ts';
import type { TextVendor } from '../../../text/text-vendor.ts';
import { awsError } from '../../aws/aws-error.ts';
import { authenticateBedrock } from '../authenticate-bedrock.ts';
import { formatHttpError, formatMediaError, invalidBedrock } from '../bedrock-error.ts';
import { pageOfJobs } from '../page-of-jobs.ts';
import type { FormatError } from '../../media/format-error.ts';
import type { JobQuery } from '../../media/media-wire.ts';
import { type CreateJob, readCreation } from './create-job.ts';
import { ARN, type InvocationJob, invocationJob, type InvocationJobDetails, statusOf } from './invocation-job.ts';
import { invocationJobWork, recordIn } from './invocation-job-work.ts';

const format: FormatError = (kind, detail) => {
  if (kind === 'not_found') return awsError(404, 'ResourceNotFoundException', 'The job does not exist.');
  return kind === 'refused' ? invalidBedrock('The input data is invalid.') : formatMediaError(kind, detail);
};

interface OneJob {
  Params: { job: string };
}

/** Serves the batch inference of Bedrock, whose input and output are objects of S3. */
export function registerInvocationJobs(scope: FastifyInstance, text: TextVendor, vendor: BatchVendor): void {
  openScope(scope, { requestIdHeader: 'x-amzn-requestid', formatHttpError });
  authenticateBedrock(scope, text);
  const wire = createBatchWire<InvocationJobDetails>(scope, vendor, { wire: 'bedrock-batches', format });
  const idOf = ({ job }: OneJob['Params']): string => (job.startsWith(ARN) ? job.slice(ARN.length) : job);

  /** @throws WireError `ConflictException` if the token belongs to another request */
  function findByToken(creation: CreateJob): InvocationJob | undefined {
    const { clientRequestToken: token } = creation;
    const known = wire.batches().find(({ details }) => token && details.creation.clientRequestToken === token);
    if (known === undefined || isDeepStrictEqual(known.details.creation, creation)) return known;
    throw awsError(409, 'ConflictException', 'The client request token was used for another request.');
  }

  scope.post('/model-invocation-job', async (request, reply) => {
    const creation = readCreation(request.body);
    const known = findByToken(creation);
    if (known) return reply.send({ jobArn: ARN + known.id });
    const uri = creation.inputDataConfig.s3InputDataConfig.s3Uri;
    const input = vendor.s3.find(uri)?.blob;
    if (input === undefined) throw invalidBedrock(`The S3 object ${uri} does not exist, or is no file.`);
    const first = await firstLine(vendor.blobs.read(input));
    return wire.create(request, reply, {
      id: hexFrom(vendor.newId()).slice(0, 12),
      text: first,
      firstKey: recordIn(first)?.recordId ?? creation.jobName,
      details: { creation },
      work: (job) => invocationJobWork(vendor, input, job, () => wire.isCut(job)),
      response: ({ id }) => ({ jobArn: ARN + id }),
    });
  });

  scope.get<OneJob>('/model-invocation-job/:job', ({ params }, reply) =>
    reply.send(invocationJob(wire.poll(idOf(params)))),
  );

  scope.get<JobQuery>('/model-invocation-jobs', ({ query }, reply) => {
    const { nameContains: name } = query;
    const named = wire
      .batches()
      .filter(({ details }) => typeof name !== 'string' || details.creation.jobName.includes(name));
    const { items, nextToken } = pageOfJobs(named, query, statusOf);
    return reply.send({ invocationJobSummaries: items.map(invocationJob), nextToken });
  });

  scope.post<OneJob>('/model-invocation-job/:job/stop', ({ params }, reply) => {
    const job = wire.find(idOf(params));
    if (isEnded(job)) throw awsError(409, 'ConflictException', `The job is already ${statusOf(job)}.`);
    wire.cancel(job);
    return reply.send({});
  });
}
