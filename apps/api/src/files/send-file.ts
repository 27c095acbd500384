import type { FileObject } from '@sluice/canonical';
import type { FastifyReply } from 'fastify';
import { sendContent } from '../http/content/send-content.ts';
import type { FilesDeps } from './files-deps.ts';

/** @throws GatewayError `range_not_satisfiable`, `content_expired` */
export async function sendFileContent(
  { files, content, logger }: Pick<FilesDeps, 'files' | 'content' | 'logger'>,
  reply: FastifyReply,
  { id, mediaType, bytes, etag, filename }: FileObject,
): Promise<FastifyReply> {
  const key = await files.contentKey(id);
  // A file in parts has no single blob that could be sent directly.
  const source = key === undefined ? { open: openFile, check: async () => undefined } : content;
  function openFile(_key: string, range?: { start: number; end: number }) {
    return files.open(id, range);
  }
  return sendContent(reply, source, { key: key ?? id, mediaType, bytes, etag }, headerSafe(filename), logger);
}

/** The name in a header: printable ASCII without quotes. */
function headerSafe(filename: string): string {
  return filename.replaceAll(/[^\w .()-]/g, '_');
}
