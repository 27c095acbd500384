import { buffer } from 'node:stream/consumers';
import type { FileUpload } from '@sluice/canonical';
import { GatewayError } from '@sluice/canonical';
import { decodeGenerativeUpload, encodeGenerativeUpload, type FileEndpoint, parseJson } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import type { CallerOf } from '../auth/authenticate.ts';
import type { ClientCall, EndpointHandlers } from '../auth/client-call.ts';
import { bodyTooLarge } from '../http/form-limits.ts';
import { printable } from '../http/printable.ts';
import { streamedBody } from '../http/read-body.ts';
import { completeUpload } from './complete-upload.ts';
import type { FilesDeps } from './files-deps.ts';
import { checkFileType, mediaTypeOf } from './file-type.ts';
import type { UploadLinks } from './upload-links.ts';

export interface ResumableDeps extends FilesDeps {
  links: UploadLinks;
  callerOf: CallerOf;
  /** Finds an API key by its name. Undefined if it does not exist any more. */
  keyOf: (name: string) => ApiKey | undefined;
}

/** An upload must be finished within a day. */
const PENDING_MS = 24 * 3_600_000;
const START_BYTES = 64 * 1024;
const MEDIA_TYPE_FIELD = 'file[mimeType]';

type Call = ClientCall<FileEndpoint>;

/**
 * Google's resumable uploads (@google/genai 3.1, `uploadBlobInternal`). The first request starts an upload and receives
 * a URL. The requests to this URL have commands, and the bytes of each one are a part of the file.
 */
export function resumableHandlers(deps: ResumableDeps): EndpointHandlers<'file.upload'> {
  const { links, callerOf, keyOf } = deps;
  return {
    'file.upload': {
      streamsBody: true,
      authenticate(request) {
        const owner = links.ownerIn(request.query as Record<string, unknown>); // The cast is safe: Fastify parses it.
        return (owner !== undefined ? keyOf(owner) : undefined) ?? callerOf(request);
      },
      serve: (call) => {
        const { upload_id: id } = call.request.query as { upload_id?: unknown };
        return typeof id === 'string' ? continueUpload(deps, call, id) : startUpload(deps, call);
      },
    },
  };
}

async function startUpload(
  { files, limits, originOf, links }: ResumableDeps,
  { endpoint, apiKey, request, reply }: Call,
): Promise<unknown> {
  const { headers } = request;
  if (headers['x-goog-upload-protocol'] !== 'resumable' || !commandsOf(request).includes('start')) {
    const what =
      'Start a resumable upload: send `x-goog-upload-protocol: resumable` and `x-goog-upload-command: start`.';
    throw new GatewayError('invalid_request', what, { param: 'x-goog-upload-protocol' });
  }
  const decoded = decodeGenerativeUpload(await readStart(request));
  const filename = decoded.filename ?? textOf(headers['x-goog-upload-file-name']) ?? 'file';
  const declaredType = decoded.mediaType ?? textOf(headers['x-goog-upload-header-content-type']);
  const mediaType = mediaTypeOf(declaredType, filename);
  checkFileType({ filename, mediaType, purpose: 'user_data' }, limits.media_types, MEDIA_TYPE_FIELD);
  const declaredBytes = integerOf(request, 'x-goog-upload-header-content-length');
  if (declaredBytes !== undefined && declaredBytes > limits.max_upload_bytes)
    throw bodyTooLarge(limits.max_upload_bytes);
  const params = { filename, mediaType, purpose: 'user_data', pendingMs: PENDING_MS } as const;
  const upload = await files.createUpload(apiKey.name, {
    ...params,
    ...(declaredBytes !== undefined && { declaredBytes }),
  });
  const query = links.queryOf(upload.id, apiKey.name);
  void reply.header('x-goog-upload-url', `${originOf(request)}${endpoint.path}?${query}`);
  void reply.header('x-goog-upload-chunk-granularity', '262144');
  return sendStatus(reply, 'active', upload);
}

async function continueUpload(deps: FilesDeps, { apiKey, request, reply }: Call, id: string): Promise<unknown> {
  const { files, originOf } = deps;
  const owner = apiKey.name;
  const commands = commandsOf(request);
  const unknown = commands.find((command) => !COMMANDS.has(command));
  if (unknown !== undefined || commands.length === 0) {
    const what = `${printable(unknown ?? '')} is not a command of an upload. Send \`upload\`, \`finalize\`, \`query\`, or \`cancel\`.`;
    throw new GatewayError('invalid_request', what, { param: 'x-goog-upload-command' });
  }
  let upload = await files.findUpload(owner, id);
  if (commands.includes('cancel')) return sendStatus(reply, 'cancelled', await files.cancelUpload(owner, id));
  if (commands.includes('upload')) {
    await addBytes(deps, request, owner, upload);
    upload = await files.findUpload(owner, id);
  }
  if (commands.includes('finalize')) {
    const file = await completeUpload(deps, owner, id, MEDIA_TYPE_FIELD);
    return sendStatus(reply, 'final', upload, encodeGenerativeUpload(file, originOf(request)));
  }
  return sendStatus(reply, upload.status === 'completed' ? 'final' : 'active', upload);
}

const COMMANDS: ReadonlySet<string> = new Set(['upload', 'finalize', 'query', 'cancel']);

/** Stores the bytes of a request. If their position was received before, they are a repetition and ignored. */
async function addBytes({ files, limits }: FilesDeps, request: FastifyRequest, owner: string, upload: FileUpload) {
  const { id, receivedBytes } = upload;
  const offset = integerOf(request, 'x-goog-upload-offset') ?? 0;
  if (offset < receivedBytes) return;
  if (offset > receivedBytes) {
    const what = `The next byte of the upload is at ${receivedBytes}; got bytes at ${offset}. Continue there.`;
    throw new GatewayError('invalid_request', what, { param: 'x-goog-upload-offset' });
  }
  const content = await files.write(streamedBody(request, limits.max_bytes), limits.max_bytes);
  try {
    await files.addPart(owner, id, content, String(offset).padStart(16, '0'));
  } catch (error) {
    await files.discard(content);
    throw error;
  }
}

function sendStatus(
  reply: FastifyReply,
  status: 'active' | 'final' | 'cancelled',
  { receivedBytes }: FileUpload,
  body: unknown = {},
): FastifyReply {
  return reply
    .header('x-goog-upload-status', status)
    .header('x-goog-upload-size-received', String(receivedBytes))
    .send(body);
}

async function readStart(request: FastifyRequest): Promise<unknown> {
  const body = await buffer(streamedBody(request, START_BYTES));
  return body.length === 0 ? {} : parseJson(body);
}

function commandsOf({ headers }: FastifyRequest): string[] {
  const commands = textOf(headers['x-goog-upload-command'])?.split(',') ?? [];
  return commands.map((command) => command.trim().toLowerCase());
}

/** @throws GatewayError `invalid_request` unless the header is absent or a number of bytes */
function integerOf({ headers }: FastifyRequest, name: string): number | undefined {
  const text = headers[name];
  if (text === undefined) return undefined;
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw new GatewayError('invalid_request', `${name} must be a number of bytes.`, { param: name });
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined;
}
