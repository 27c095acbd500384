import type { FileObject } from '@sluice/canonical';
import type { FileAction, FileEndpoint, FilesFormat } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { EndpointHandler, EndpointHandlers } from '../auth/client-call.ts';
import type { FilesDeps } from './files-deps.ts';
import { checkedMediaType, checkFileType, mediaTypeOf } from './file-type.ts';
import { FORM_OVERHEAD_BYTES, readFileForm } from './read-file-form.ts';
import { sendFileContent } from './send-file.ts';

interface Call {
  format: FilesFormat;
  /** The API key's name. */
  owner: string;
  /** Empty if the path has no file id. */
  id: string;
  /** Whether the path names the content of the file. */
  isContent: boolean;
  /** The origin of the gateway, for links. */
  origin: string;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Handlers of `/v1/files`. A file of another key is treated as missing. */
export function fileHandlers(deps: FilesDeps): EndpointHandlers<Exclude<FileAction, 'file.upload'>> {
  const { files, originOf } = deps;
  const handler = (serve: (call: Call) => Promise<unknown>) => handlerOf(originOf, serve);
  return {
    'file.create': handler(async (call) => call.format.encodeFile(await createFile(deps, call), call.origin)),
    'file.list': handler(async ({ format, owner, request, origin }) => {
      const page = await files.list(owner, format.decodeListing(request.query));
      return format.encodeFiles(page.files, page.hasMore, origin);
    }),
    'file.retrieve': handler(async ({ format, owner, id, isContent, origin, reply }) => {
      const file = await files.find(owner, id);
      return isContent ? sendFileContent(deps, reply, file) : format.encodeFile(file, origin);
    }),
    'file.content': handler(async ({ owner, id, reply }) => sendFileContent(deps, reply, await files.find(owner, id))),
    'file.delete': handler(async ({ format, owner, id }) => {
      await files.remove(owner, id);
      return format.encodeDeleted(id);
    }),
  };
}

function handlerOf(
  originOf: FilesDeps['originOf'],
  serve: (call: Call) => Promise<unknown>,
): EndpointHandler<FileEndpoint> {
  return {
    serve: ({ endpoint, apiKey, request, reply }) => {
      const format = endpoint.protocol.formatOf(request.headers, request.query as Record<string, unknown>);
      // The cast is safe because path parameters are strings.
      const { file_id: name = '' } = request.params as Record<string, string>;
      const { contentSuffix = '', decodeId } = format;
      const isContent = contentSuffix !== '' && name.endsWith(contentSuffix);
      const decoded = isContent ? name.slice(0, -contentSuffix.length) : name;
      const id = decodeId ? decodeId(decoded) : decoded;
      return serve({ format, owner: apiKey.name, id, isContent, origin: originOf(request), request, reply });
    },
  };
}

async function createFile({ files, limits }: FilesDeps, { format, owner, request }: Call): Promise<FileObject> {
  const declaredBytes = Number(request.headers['content-length'] ?? 0);
  await files.checkQuota(owner, Math.max(0, declaredBytes - FORM_OVERHEAD_BYTES));
  const options = { field: 'file', maxBytes: limits.max_bytes, jsonBytes: limits.json_bytes };
  const { fields, filename, declaredType, head, content } = await readFileForm(request, files, options);
  try {
    const decoded = format.decodeFile(fields);
    const mediaType = checkedMediaType(mediaTypeOf(declaredType, filename), head, 'file');
    const params = { filename, mediaType, ...decoded };
    checkFileType(params, limits.media_types, 'file');
    return await files.create(owner, params, content);
  } catch (error) {
    await files.discard(content);
    throw error;
  }
}
