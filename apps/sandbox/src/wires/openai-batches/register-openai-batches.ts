import multipart from '@fastify/multipart';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { BatchVendor } from '../../batches/batch-vendor.ts';
import { createBatchWire } from '../../batches/batch-wire.ts';
import { firstLine } from '../../batches/json-lines.ts';
import { isEnded } from '../../batches/vendor-batch.ts';
import { carriesBearerKey } from '../../http/bearer-key.ts';
import { openScope } from '../../http/open-scope.ts';
import { errorTable } from '../media/format-error.ts';
import type { OneJob } from '../media/media-wire.ts';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { incorrectKey } from '../openai-style/format-openai-fault.ts';
import {
  invalidValue,
  openAiError,
  OVERLOADED,
  QUOTA_EXCEEDED,
  SERVER_ERROR,
  throttledError,
} from '../openai-style/openai-error.ts';
import { listObject, type ListQuery, pageOfList } from '../openai-style/page-of-list.ts';
import { commonFields } from '../openai-style/request-fields.ts';
import { ENDPOINTS, readLine, versioned } from './batch-input.ts';
import { createUsageSum } from './batch-usage.ts';
import { batchObject, type OpenAiBatchDetails } from './openai-batch.ts';
import { openAiBatchWork } from './openai-batch-work.ts';
import { createOpenAiFiles, type OpenAiFile } from './openai-files.ts';
import { MAX_FILE_BYTES, registerOpenAiFiles } from './register-openai-files.ts';

const THROTTLED = throttledError('Rate limit reached on batches per day. Please try again in 1s.');

const format = errorTable(openAiError, (detail) => ({
  malformed: [400, detail],
  refused: invalidValue('input_file_id', "Invalid value for 'input_file_id'."),
  moderation: invalidValue('input_file_id', "Invalid value for 'input_file_id'."),
  balance: QUOTA_EXCEEDED,
  throttled: THROTTLED,
  concurrency: THROTTLED,
  unavailable: OVERLOADED,
  broken: [500, SERVER_ERROR, { type: 'server_error' }],
  not_found: [404, `No batch found with id '${detail}'.`, { param: 'batch_id' }],
  unknown_call: [404, `Invalid URL (${detail})`],
}));

const CreateSchema = z.strictObject({
  input_file_id: z.string(),
  endpoint: z.preprocess((url) => (typeof url === 'string' ? versioned(url) : url), z.enum(ENDPOINTS)),
  completion_window: z.literal('24h'),
  metadata: commonFields.metadata,
  output_expires_after: z
    .strictObject({ anchor: z.literal('created_at'), seconds: z.int().min(3600).max(2_592_000) })
    .optional(),
});

/** Serves `/files` and `/batches` of OpenAI and Azure. */
export async function registerOpenAiBatches(scope: FastifyInstance, vendor: BatchVendor): Promise<void> {
  await scope.register(multipart, { limits: { fileSize: MAX_FILE_BYTES, files: 1, parts: 16 } });
  openScope(scope, {
    requestIdHeader: 'x-request-id',
    authenticate({ headers }) {
      if (!carriesBearerKey(headers.authorization, vendor.apiKey)) throw incorrectKey();
    },
    formatHttpError: (status, message) => format(status >= 500 ? 'broken' : 'malformed', message),
  });
  const files = createOpenAiFiles(vendor);
  const wire = createBatchWire<OpenAiBatchDetails>(scope, vendor, { wire: 'openai-batches', format });

  function isCut({ id }: OpenAiFile): boolean {
    const source = wire.batches().find(({ details }) => [details.outputFileId, details.errorFileId].includes(id));
    return source !== undefined && wire.isCut(source);
  }
  registerOpenAiFiles(scope, vendor, files, isCut);

  scope.post('/batches', async (request, reply) => {
    const read = CreateSchema.safeParse(request.body ?? {});
    if (!read.success) throw explainIssue(read.error, request.body);
    const { input_file_id: inputFileId, endpoint, metadata = null, output_expires_after: outputLife } = read.data;
    const input = files.find(inputFileId);
    if (input === undefined)
      throw openAiError(400, `File with id '${inputFileId}' not found.`, { param: 'input_file_id' });
    if (input.purpose !== 'batch') {
      throw invalidValue('input_file_id', `Invalid file purpose: '${input.purpose}'. Expected 'batch'.`);
    }
    const text = await firstLine(vendor.blobs.read(input.blob));
    return wire.create(request, reply, {
      id: `batch_${vendor.newId()}`,
      text,
      firstKey: readLine(text)?.custom_id ?? inputFileId,
      details: {
        endpoint,
        inputFileId,
        metadata,
        outputSeconds: outputLife?.seconds,
        errors: [],
        usage: createUsageSum(),
      },
      work: (batch) => openAiBatchWork(vendor, files, input, batch),
      response: batchObject,
    });
  });

  scope.get<ListQuery>('/batches', ({ query }, reply) => {
    const page = pageOfList(wire.batches(), { ...query, order: 'desc' }, { max: 100, otherwise: 20 });
    return reply.send(listObject(page, batchObject));
  });

  scope.get<OneJob>('/batches/:id', ({ params }, reply) => reply.send(batchObject(wire.poll(params.id))));

  scope.post<OneJob>('/batches/:id/cancel', ({ params }, reply) => {
    const batch = wire.find(params.id);
    if (isEnded(batch)) {
      throw openAiError(409, `Cannot cancel a batch with status '${batchObject(batch).status}'.`);
    }
    wire.cancel(batch);
    return reply.send(batchObject(batch));
  });
}
