import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { GatewayError, type MediaTask, type StoredContent, GATEWAY_MESSAGES } from '@sluice/canonical';
import type { ImageProtocol, ImageView } from '@sluice/protocols';
import { ContentMissingError, type ContentStore } from '@sluice/content';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendSized } from '../http/content/send-sized.ts';
import type { MediaDeps } from './media-deps.ts';

/** A placeholder in the response JSON, which is replaced with the file's base64. */
interface Gap {
  placeholder: string;
  file: StoredContent;
}

/** Encodes files while sending, so that they are never completely in memory. @throws GatewayError `content_expired` */
export async function sendImages(
  deps: Pick<MediaDeps, 'content' | 'links' | 'logger'>,
  protocol: ImageProtocol,
  task: MediaTask,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const images = new Map<number, ImageView>();
  const gaps: Gap[] = [];
  for (const [index, { content }] of task.outputs.entries()) {
    if (!content) continue;
    if (task.delivery !== 'b64_json') {
      images.set(index, { url: deps.links.linkTo(request, task, index) });
      continue;
    }
    const placeholder = randomUUID(); // a random UUID cannot occur in client or vendor input
    gaps.push({ placeholder, file: content });
    images.set(index, { b64_json: placeholder });
  }
  const body = JSON.stringify(protocol.encodeImages(task, { images }));
  void reply.type('application/json; charset=utf-8');
  if (gaps.length === 0) return reply.send(body);

  const chunks = cut(body, gaps);
  // Checked before the response starts, so that a missing file causes an error response instead of a broken body.
  await Promise.all(gaps.map(({ file }) => checkStored(deps.content, file)));
  const bytes = chunks.reduce((sum, part) => sum + lengthOf(part), 0);
  if (request.method === 'HEAD') return reply.header('content-length', bytes).send();
  return sendSized(reply, Readable.from(fill(deps.content, chunks), { objectMode: false }), bytes, (err) => {
    deps.logger.error({ err, request_id: request.id }, 'stored file could not be read');
  });
}

function cut(body: string, gaps: readonly Gap[]): (string | StoredContent)[] {
  const chunks: (string | StoredContent)[] = [];
  let rest = body;
  for (const { placeholder, file } of gaps) {
    const at = rest.indexOf(placeholder);
    if (at === -1) continue;
    chunks.push(rest.slice(0, at), file);
    rest = rest.slice(at + placeholder.length);
  }
  return [...chunks, rest];
}

function lengthOf(part: string | StoredContent): number {
  return typeof part === 'string' ? Buffer.byteLength(part) : 4 * Math.ceil(part.bytes / 3);
}

async function checkStored(content: ContentStore, { key }: StoredContent): Promise<void> {
  try {
    await content.check(key);
  } catch (error) {
    if (!(error instanceof ContentMissingError)) throw error;
    throw new GatewayError('content_expired', GATEWAY_MESSAGES.fileGone);
  }
}

async function* fill(content: ContentStore, chunks: readonly (string | StoredContent)[]): AsyncGenerator<string> {
  for (const part of chunks) {
    if (typeof part === 'string') yield part;
    else yield* base64Of(await content.open(part.key));
  }
}

/**
 * Base64 encodes three bytes as four characters, so a chunk's remaining one or two bytes are prepended to the next
 * chunk.
 */
async function* base64Of(stream: Readable): AsyncGenerator<string> {
  let remainder: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const bytes = remainder.length === 0 ? chunk : Buffer.concat([remainder, chunk]);
    const complete = bytes.length - (bytes.length % 3);
    remainder = bytes.subarray(complete);
    yield bytes.toString('base64', 0, complete);
  }
  yield remainder.toString('base64');
}
