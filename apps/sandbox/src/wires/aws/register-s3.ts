import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BatchVendor } from '../../batches/batch-vendor.ts';
import { hasDirective } from '../../directives/media-directives.ts';
import { openScope } from '../../http/open-scope.ts';
import { sendHalf } from '../../http/send-half.ts';
import { sendFile } from '../../http/send-file.ts';
import { WireError } from '../../http/wire-error.ts';
import { consumeDirective } from '../../jobs/consume-directive.ts';
import { jobState } from '../../jobs/media-job.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { renderOutput } from '../media/render-output.ts';
import { authenticateAws } from './authenticate-aws.ts';
import type { S3Objects } from '../../batches/s3-objects.ts';

interface ObjectCall {
  Params: { bucket: string; '*': string };
}

interface ListCall {
  Params: { bucket: string };
  Querystring: { prefix?: string };
}

/** Errors of S3 for the exceptions of other services (Amazon S3 API reference, "Error responses"). */
const CREDENTIAL_ERRORS: readonly (readonly [exception: RegExp, status: number, code: string])[] = [
  [/^MissingAuthenticationToken/, 403, 'AccessDenied'],
  [/^IncompleteSignature/, 400, 'AuthorizationHeaderMalformed'],
  [/^ExpiredToken/, 400, 'ExpiredToken'],
  [/^UnrecognizedClient/, 403, 'InvalidAccessKeyId'],
  [/^InvalidSignature/, 403, 'SignatureDoesNotMatch'],
];

/**
 * Serves objects as S3 does, with the bucket in the path: those that clients stored, the results of batches, and the
 * videos that Bedrock wrote. Buckets with `denied` or `outage` in their names fail.
 */
export function registerS3(scope: FastifyInstance, text: TextVendor, media: MediaVendor, batches: BatchVendor): void {
  openScope(scope, {
    requestIdHeader: 'x-amz-request-id',
    formatHttpError: (status, message) => s3Error(status, status >= 500 ? 'InternalError' : 'InvalidRequest', message),
  });
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  // The signature covers the hash of the body.
  scope.addHook('preHandler', async (request) => {
    authenticate(request, text);
    const { bucket } = request.params as ObjectCall['Params'];
    if (bucket.includes('denied')) throw s3Error(403, 'AccessDenied', 'Access Denied');
    if (bucket.includes('outage')) throw s3Error(503, 'SlowDown', 'Please reduce your request rate.');
  });

  scope.route<ObjectCall>({
    method: ['GET', 'HEAD'],
    url: '/:bucket/*',
    exposeHeadRoute: false,
    handler: async (request, reply) =>
      (await sendObject(batches, uriOf(request), request, reply)) ?? sendVideo(media, uriOf(request), request, reply),
  });
  registerObjects(scope, batches);
}

function uriOf({ params }: FastifyRequest<ObjectCall>): string {
  return `s3://${params.bucket}/${params['*']}`;
}

/** @returns undefined if clients and batches stored no such object */
async function sendObject(
  { s3, blobs }: BatchVendor,
  uri: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const object = s3.find(uri);
  if (object === undefined) return undefined;
  const { blob, etag, isCut } = object;
  void reply.headers({ etag: `"${etag}"`, 'content-length': blob.bytes, 'content-type': 'application/octet-stream' });
  if (request.method === 'HEAD') return reply.send();
  if (isCut?.() === true) return sendHalf(reply, await buffer(blobs.read(blob)));
  return reply.send(blobs.read(blob));
}

function sendVideo(
  { ledger, archive, now }: MediaVendor,
  uri: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const [, folder, id = ''] = /^(.*)\/([0-9a-f]{12})\/output\.mp4$/.exec(uri) ?? [];
  const job = ledger.find('bedrock', id);
  const isDone = job !== undefined && job.path === folder && jobState(job, now()).status === 'completed';
  if (!isDone || hasDirective(job.prompt, 'expire')) {
    throw s3Error(404, 'NoSuchKey', 'The specified key does not exist.');
  }
  const cut = request.method === 'GET' && consumeDirective(ledger, 'cut', job, id);
  return sendFile(request, reply, renderOutput(archive, job, 0, 'mp4'), cut);
}

/** Serves `PutObject`, `DeleteObject`, and `ListObjectsV2` without pages. */
function registerObjects(scope: FastifyInstance, { s3, blobs }: BatchVendor): void {
  scope.put<ObjectCall>('/:bucket/*', async (request, reply) => {
    const { body, headers } = request;
    if (String(headers['x-amz-content-sha256']).startsWith('STREAMING-')) {
      throw s3Error(501, 'NotImplemented', 'A header you provided implies functionality that is not implemented.');
    }
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const etag = createHash('md5').update(bytes).digest('hex');
    s3.put(uriOf(request), { blob: await blobs.store(Readable.from([bytes])), etag });
    return reply.header('etag', `"${etag}"`).send();
  });

  scope.delete<ObjectCall>('/:bucket/*', (request, reply) => {
    s3.remove(uriOf(request));
    return reply.code(204).send();
  });

  for (const path of ['/:bucket', '/:bucket/']) {
    scope.get<ListCall>(path, ({ params, query }, reply) =>
      reply.type('application/xml').send(listOf(s3, params.bucket, query.prefix)),
    );
  }
}

function listOf(s3: S3Objects, bucket: string, prefix = ''): string {
  const root = `s3://${bucket}/`;
  const uris = s3.list(root + prefix);
  const contents = uris.map((uri) => {
    const { blob, etag } = s3.find(uri) ?? { blob: { bytes: 0 }, etag: '' };
    const fields = `<Key>${escapeXml(uri.slice(root.length))}</Key><ETag>&quot;${etag}&quot;</ETag>`;
    return `<Contents>${fields}<Size>${blob.bytes}</Size></Contents>`;
  });
  const head = `<Name>${bucket}</Name><KeyCount>${uris.length}</KeyCount><IsTruncated>false</IsTruncated>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult>${head}${contents.join('')}</ListBucketResult>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Unlike other services, S3 requires the hash of the body. */
function authenticate({ method, url, headers, body }: FastifyRequest, vendor: TextVendor): void {
  if (headers['x-amz-content-sha256'] === undefined && headers.authorization !== undefined) {
    throw s3Error(400, 'InvalidRequest', 'Missing required header for this request: x-amz-content-sha256');
  }
  try {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    authenticateAws({ method, url, headers, body: bytes }, 's3', vendor);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const exception = error.headers['x-amzn-errortype'] ?? '';
    const [, status = 403, code = 'AccessDenied'] = CREDENTIAL_ERRORS.find(([name]) => name.test(exception)) ?? [];
    throw s3Error(status, code, error.message);
  }
}

function s3Error(status: number, code: string, message: string): WireError {
  const body = (requestId: string) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message><RequestId>${requestId}</RequestId></Error>`;
  return new WireError(status, message, body, { 'content-type': 'application/xml' });
}
