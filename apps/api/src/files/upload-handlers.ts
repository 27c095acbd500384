import { createHash } from 'node:crypto';
import { GatewayError } from '@sluice/canonical';
import type { UploadAction, UploadEndpoint, UploadsProtocol } from '@sluice/protocols';
import type { ClientCall, EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import { inBytes } from '../http/form-limits.ts';
import { completeUpload } from './complete-upload.ts';
import type { FilesDeps } from './files-deps.ts';
import { checkFileType, mediaTypeOf } from './file-type.ts';
import { readFileForm } from './read-file-form.ts';

/** OpenAI's limits (openai-node 7.55, `resources/uploads`): an hour for all parts, and 64 MB for one part. */
const PENDING_MS = 3_600_000;
export const PART_BYTES = 64 * 1024 * 1024;

type Call = ClientCall<UploadEndpoint> & { protocol: UploadsProtocol; owner: string; id: string };

/** Handlers of `/v1/uploads`: files that a client sends in parts. */
export function uploadHandlers(deps: FilesDeps): EndpointHandlers<UploadAction> {
  const { files } = deps;
  return {
    'upload.create': handler((call) => createUpload(deps, call)),
    'upload.add-part': handler((call) => addPart(deps, call)),
    'upload.complete': handler((call) => complete(deps, call)),
    'upload.cancel': handler(async ({ protocol, owner, id }) =>
      protocol.encodeUpload(await files.cancelUpload(owner, id)),
    ),
  };
}

function handler(serve: (call: Call) => Promise<unknown>): EndpointHandler<UploadEndpoint> {
  return {
    serve: (call) => {
      // The cast is safe because path parameters are strings.
      const { upload_id: id = '' } = call.request.params as Record<string, string>;
      return serve({ ...call, protocol: call.endpoint.protocol, owner: call.apiKey.name, id });
    },
  };
}

async function createUpload({ files, limits }: FilesDeps, { protocol, owner, request }: Call): Promise<unknown> {
  const decoded = protocol.decodeUpload(request.body);
  const { bytes, filename, purpose, lifetimeMs } = decoded;
  if (bytes > limits.max_upload_bytes) {
    const what = `bytes must be at most ${limits.max_upload_bytes.toLocaleString('en-US')}.`;
    throw new GatewayError('invalid_request', what, { param: 'bytes' });
  }
  const mediaType = mediaTypeOf(decoded.mediaType, filename);
  checkFileType({ filename, mediaType, purpose }, limits.media_types, 'mime_type');
  const chosen = { filename, mediaType, purpose, ...(lifetimeMs !== undefined && { lifetimeMs }) };
  const params = { ...chosen, declaredBytes: bytes, pendingMs: PENDING_MS };
  return protocol.encodeUpload(await files.createUpload(owner, params));
}

async function addPart({ files, limits, newId }: FilesDeps, { protocol, owner, id, request }: Call): Promise<unknown> {
  const { status } = await files.findUpload(owner, id);
  if (status !== 'pending')
    throw new GatewayError('invalid_request', `The upload is ${status}. Create another upload.`);
  const options = { field: 'data', maxBytes: PART_BYTES, jsonBytes: limits.json_bytes };
  const { content } = await readFileForm(request, files, options);
  try {
    const part = await files.addPart(owner, id, content, newId('part_'));
    return protocol.encodePart({ ...part, id: part.name });
  } catch (error) {
    await files.discard(content);
    throw error;
  }
}

async function complete(deps: FilesDeps, { protocol, owner, id, request }: Call): Promise<unknown> {
  const { files } = deps;
  const { partIds, md5 } = protocol.decodeCompletion(request.body);
  const { status } = await files.findUpload(owner, id);
  // A repeated completion has no parts to check.
  if (md5 !== undefined && status === 'pending') await checkMd5(await files.openParts(owner, id, partIds), md5);
  const file = await completeUpload(deps, owner, id, 'mime_type', partIds);
  return protocol.encodeUpload(await files.findUpload(owner, id), file);
}

/** @throws GatewayError `invalid_request` */
async function checkMd5(content: AsyncIterable<Uint8Array>, expected: string): Promise<void> {
  const hash = createHash('md5');
  let bytes = 0;
  for await (const chunk of content) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  if (hash.digest('hex') === expected) return;
  const what = `md5 does not match the ${inBytes(bytes)} of the parts. Upload the parts again.`;
  throw new GatewayError('invalid_request', what, { param: 'md5' });
}
