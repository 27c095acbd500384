import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BatchVendor } from '../../batches/batch-vendor.ts';
import type { BlobWriter } from '../../batches/blob-store.ts';
import { sendHalf } from '../../http/send-half.ts';
import { parseJson } from '../../schema/json.ts';
import { generativeError, invalidArgument } from '../google-style/google-error.ts';
import { type GenerativeFile, type GenerativeFiles, fileObject } from './generative-files.ts';

interface OneFile {
  Params: { file: string };
}

interface UploadCall {
  Querystring: { upload_id?: string };
  Body: Readable | undefined;
}

const FileSchema = z
  .looseObject({ file: z.looseObject({ displayName: z.string().optional() }).default({}) })
  .catch({ file: {} });

interface Upload {
  writer: BlobWriter;
  received: number;
  mimeType: string;
  displayName?: string | undefined;
}

/** The maximum size of a file (Gemini's guide "Files API"). */
const MAX_BYTES = 2 * 1024 ** 3;

function originOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`;
}

/** Serves resumable uploads, in which the first call returns the URL for the bytes. */
function registerUploads(scope: FastifyInstance, { blobs, newId }: BatchVendor, files: GenerativeFiles): void {
  const uploads = new Map<string, Upload>();
  // Google's client libraries send `application/json` with any bytes.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));

  scope.post<UploadCall>('/upload/v1beta/files', async (request, reply) => {
    const { headers, query, body = Readable.from([]) } = request;
    const commands = String(headers['x-goog-upload-command']).split(/,\s*/);
    if (commands.includes('start')) {
      const id = newId();
      const type = headers['x-goog-upload-header-content-type'];
      const { displayName } = FileSchema.parse(parseJson(await text(body))).file;
      uploads.set(id, {
        writer: blobs.openWriter(),
        received: 0,
        mimeType: typeof type === 'string' ? type : 'application/octet-stream',
        displayName,
      });
      const url = `${originOf(request)}/upload/v1beta/files?upload_id=${id}&upload_protocol=resumable`;
      return reply.headers({ 'x-goog-upload-url': url, 'x-goog-upload-status': 'active' }).send();
    }
    const upload = uploads.get(query.upload_id ?? '');
    if (upload === undefined) throw generativeError(404, 'Requested entity was not found.');
    if (Number(headers['x-goog-upload-offset']) !== upload.received) {
      throw invalidArgument(`Expected the offset ${upload.received}.`);
    }
    for await (const chunk of body) {
      const bytes = Buffer.from(chunk as Uint8Array);
      upload.received += bytes.length;
      if (upload.received > MAX_BYTES) throw invalidArgument('The file is too large.');
      await upload.writer.append(bytes);
    }
    if (!commands.includes('finalize')) return reply.header('x-goog-upload-status', 'active').send();
    uploads.delete(query.upload_id ?? '');
    const file = files.add({ ...upload, blob: await upload.writer.close() });
    return reply.header('x-goog-upload-status', 'final').send({ file: fileObject(file, originOf(request)) });
  });
}

/**
 * Serves the files of Gemini.
 * @param isCut whether to break this download midway.
 */
export function registerGenerativeFiles(
  scope: FastifyInstance,
  vendor: BatchVendor,
  files: GenerativeFiles,
  isCut: (file: GenerativeFile) => boolean,
): void {
  const { blobs } = vendor;
  void scope.register(async (uploads) => registerUploads(uploads, vendor, files));

  function find(id: string): GenerativeFile {
    const file = files.find(`files/${id}`);
    if (file !== undefined) return file;
    throw generativeError(403, `You do not have permission to access the File ${id} or it may not exist.`);
  }

  scope.get('/v1beta/files', (request, reply) =>
    reply.send({ files: files.all().map((file) => fileObject(file, originOf(request))) }),
  );

  scope.get<OneFile>('/v1beta/files/:file(^[\\w-]+$)', (request, reply) =>
    reply.send(fileObject(find(request.params.file), originOf(request))),
  );

  scope.delete<OneFile>('/v1beta/files/:file(^[\\w-]+$)', async (request, reply) => {
    await files.remove(find(request.params.file));
    return reply.send({});
  });

  for (const prefix of ['/v1beta', '/download/v1beta']) {
    scope.get<OneFile>(`${prefix}/files/batch-:file(^[a-z0-9]+)::download`, async ({ params }, reply) => {
      const file = find(`batch-${params.file}`);
      if (isCut(file)) return sendHalf(reply, await buffer(blobs.read(file.blob)));
      return reply.type(file.mimeType).header('content-length', file.blob.bytes).send(blobs.read(file.blob));
    });
  }
}
