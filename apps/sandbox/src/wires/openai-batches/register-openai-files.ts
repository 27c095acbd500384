import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BatchVendor } from '../../batches/batch-vendor.ts';
import { sendHalf } from '../../http/send-half.ts';
import { unixSeconds } from '../../jobs/media-job.ts';
import type { OneJob } from '../media/media-wire.ts';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { expectForm } from '../openai-style/expect-form.ts';
import { missingParameter, openAiError } from '../openai-style/openai-error.ts';
import { listObject, type ListQuery, pageOfList } from '../openai-style/page-of-list.ts';
import type { OpenAiFile, OpenAiFiles } from './openai-files.ts';

/** Limits of openai 7.55.0 (`Files.create`). */
export const MAX_FILE_BYTES = 512 * 1024 ** 2;
const MAX_BATCH_BYTES = 200 * 1024 ** 2;

const Seconds = z.coerce.number().int().min(3600).max(2_592_000);
const FieldsSchema = z.strictObject({
  purpose: z.enum(['assistants', 'batch', 'fine-tune', 'vision', 'user_data', 'evals']),
  'expires_after[anchor]': z.literal('created_at').optional(),
  'expires_after[seconds]': Seconds.optional(),
});

function fileObject({ id, blob, filename, purpose, createdAt, expiresAt }: OpenAiFile) {
  return {
    id,
    object: 'file',
    bytes: blob.bytes,
    created_at: unixSeconds(createdAt),
    expires_at: expiresAt === undefined ? null : unixSeconds(expiresAt),
    filename,
    purpose,
    status: 'processed',
    status_details: null,
  };
}

/**
 * Serves `/files`. The scope must accept multipart forms.
 * @param isCut whether to break this download midway.
 */
export function registerOpenAiFiles(
  scope: FastifyInstance,
  { blobs }: BatchVendor,
  files: OpenAiFiles,
  isCut: (file: OpenAiFile) => boolean,
): void {
  function find(id: string): OpenAiFile {
    const file = files.find(id);
    if (file !== undefined) return file;
    throw openAiError(404, `No such File object: ${id}`, { param: 'id' });
  }

  async function readForm(request: FastifyRequest) {
    const fields: Record<string, unknown> = {};
    let upload;
    for await (const part of request.parts()) {
      if (part.type === 'field') fields[part.fieldname] = part.value;
      else {
        const blob = await blobs.store(part.file);
        if (part.file.truncated || (upload !== undefined && part.fieldname === 'file')) {
          throw openAiError(413, `File is too large. The maximum size is ${MAX_FILE_BYTES} bytes.`);
        }
        upload = { blob, filename: part.filename };
      }
    }
    return { fields, upload };
  }

  scope.post('/files', async (request, reply) => {
    expectForm(request);
    const { fields, upload } = await readForm(request);
    const read = FieldsSchema.safeParse(fields);
    if (!read.success) throw explainIssue(read.error, fields);
    if (upload === undefined) throw missingParameter('file');
    const { purpose, 'expires_after[seconds]': expiresAfterSeconds } = read.data;
    if (purpose === 'batch' && upload.blob.bytes > MAX_BATCH_BYTES) {
      throw openAiError(413, `File is too large. The maximum size for batches is ${MAX_BATCH_BYTES} bytes.`);
    }
    return reply.send(fileObject(files.add({ ...upload, purpose, expiresAfterSeconds })));
  });

  scope.get<ListQuery>('/files', ({ query }, reply) => {
    const { purpose } = query;
    const matching = files.all().filter((file) => purpose === undefined || file.purpose === purpose);
    const page = pageOfList(matching, query, { max: 10_000, otherwise: 10_000 });
    return reply.send(listObject(page, fileObject));
  });

  scope.get<OneJob>('/files/:id', ({ params }, reply) => reply.send(fileObject(find(params.id))));

  scope.get<OneJob>('/files/:id/content', async ({ params }, reply) => {
    const file = find(params.id);
    if (isCut(file)) return sendHalf(reply, await buffer(blobs.read(file.blob)));
    const headers = { 'content-type': 'application/octet-stream', 'content-length': file.blob.bytes };
    return reply.headers(headers).send(blobs.read(file.blob));
  });

  scope.delete<OneJob>('/files/:id', async ({ params }, reply) => {
    await files.remove(find(params.id));
    return reply.send({ id: params.id, object: 'file', deleted: true });
  });
}
