import type { FastifyInstance } from 'fastify';
import type { BatchVendor } from '../../batches/batch-vendor.ts';
import { createBatchWire } from '../../batches/batch-wire.ts';
import { isEnded } from '../../batches/vendor-batch.ts';
import { openScope } from '../../http/open-scope.ts';
import { parseJson } from '../../schema/json.ts';
import { formatGoogleError } from '../google-style/format-google-error.ts';
import { checkGoogleKey, generativeError, invalidArgument } from '../google-style/google-error.ts';
import type { JobQuery, OneJob } from '../media/media-wire.ts';
import { queryNumber } from '../media/page-of.ts';
import { openSource, readCreation } from './batch-source.ts';
import { type GenerativeBatchDetails, generativeOperation } from './generative-batch.ts';
import { generativeBatchWork } from './generative-batch-work.ts';
import { createGenerativeFiles, type GenerativeFile } from './generative-files.ts';
import { registerGenerativeFiles } from './register-generative-files.ts';

/** Serves the batches and files of Gemini's API (https://ai.google.dev/api/batch-api). */
export function registerGenerativeBatches(scope: FastifyInstance, vendor: BatchVendor): void {
  const { apiKey, newId } = vendor;
  openScope(scope, {
    requestIdHeader: 'x-request-id',
    authenticate: (request) => checkGoogleKey(request, apiKey),
    formatHttpError: (status, message) => generativeError(status, message),
  });
  const wire = createBatchWire<GenerativeBatchDetails>(scope, vendor, {
    wire: 'generative-batches',
    format: formatGoogleError,
  });
  const files = createGenerativeFiles(vendor);

  function isCut({ name }: GenerativeFile): boolean {
    const source = wire.batches().find(({ id }) => name === `files/batch-${id}`);
    return source !== undefined && wire.isCut(source);
  }
  registerGenerativeFiles(scope, vendor, files, isCut);

  const path = '/v1beta/models/:model(^[^/]+)::batchGenerateContent';
  scope.post<{ Params: { model: string } }>(path, async (request, reply) => {
    const { displayName, inputConfig } = readCreation(request.body);
    const source = await openSource(vendor, files, inputConfig);
    const { key, metadata } = Object(parseJson(source.text));
    const firstKey: unknown = key ?? Object(metadata).key;
    return wire.create(request, reply, {
      id: newId(),
      text: source.text,
      firstKey: typeof firstKey === 'string' ? firstKey : displayName,
      details: { model: request.params.model, displayName },
      work: (batch) => generativeBatchWork(vendor, files, source, batch),
      response: generativeOperation,
    });
  });

  scope.get<JobQuery>('/v1beta/batches', ({ query }, reply) => {
    const { pageSize, pageToken } = query;
    const size = queryNumber(pageSize, { min: 0, max: 100, otherwise: 0 }, () =>
      invalidArgument('Page size must be from 0 to 100.', 'page_size'),
    );
    const newest = wire.batches().toReversed();
    const start = newest.findIndex(({ id }) => id === pageToken) + 1;
    const page = newest.slice(start, start + (size || 20));
    const isLast = start + page.length >= newest.length;
    return reply.send({
      operations: page.map(generativeOperation),
      nextPageToken: isLast ? undefined : page.at(-1)?.id,
    });
  });

  scope.get<OneJob>('/v1beta/batches/:id', ({ params }, reply) =>
    reply.send(generativeOperation(wire.poll(params.id))),
  );

  scope.post<OneJob>('/v1beta/batches/:id(^[^:]+)::cancel', ({ params }, reply) => {
    wire.cancel(wire.find(params.id));
    return reply.send({});
  });

  scope.delete<OneJob>('/v1beta/batches/:id', ({ params }, reply) => {
    const batch = wire.find(params.id);
    if (!isEnded(batch)) throw invalidArgument('The batch is still running.');
    wire.remove(batch);
    return reply.send({});
  });
}
