import { createHash, type Hash } from 'node:crypto';
import { ContentTooLargeError, GatewayError } from '@sluice/canonical';
import type { WrittenContent } from '@sluice/files';
import { bodyTooLarge } from '../http/form-limits.ts';
import type { BatchesDeps } from './batches-deps.ts';

/** The requests of a batch that are not in a file in OpenAI's format. */
export interface RequestSource {
  /** The field that contains the requests. */
  param: string;
  /** Maximum number of requests. */
  max: number;
  requests: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Returns the line of the input file for a request. @param number from 1 */
  lineOf: (bytes: Uint8Array, number: number) => string;
}

/**
 * Streams requests to a file with one request in each line. If one is invalid, nothing is stored.
 * @returns the id of the file, and the hash of its content
 * @throws GatewayError and errors of the source
 */
export async function writeRequests(
  { files, limits }: Pick<BatchesDeps, 'files' | 'limits'>,
  owner: string,
  source: RequestSource,
): Promise<{ id: string; sha256: string }> {
  const hash = createHash('sha256');
  const content = await writeLines({ files, limits }, source, hash);
  try {
    const params = { filename: 'requests.jsonl', mediaType: 'application/jsonl', purpose: 'batch' } as const;
    const { id } = await files.create(owner, params, content);
    return { id, sha256: hash.digest('hex') };
  } catch (error) {
    await files.discard(content);
    throw error;
  }
}

/** Passes the lines of the requests to `read`, and stores nothing. @throws GatewayError and errors of the source */
export async function readRequests<T>(
  { files, limits }: Pick<BatchesDeps, 'files' | 'limits'>,
  source: RequestSource,
  read: (lines: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const content = await writeLines({ files, limits }, source);
  try {
    return await read(await files.openWritten(content));
  } finally {
    await files.discard(content);
  }
}

async function writeLines(
  { files, limits }: Pick<BatchesDeps, 'files' | 'limits'>,
  source: RequestSource,
  hash?: Hash,
): Promise<WrittenContent> {
  try {
    return await files.write(linesOf(source, hash), limits.maxInputBytes);
  } catch (error) {
    throw error instanceof ContentTooLargeError ? bodyTooLarge(limits.maxInputBytes) : error;
  }
}

async function* linesOf({ param, max, requests, lineOf }: RequestSource, hash?: Hash): AsyncGenerator<Uint8Array> {
  let number = 0;
  for await (const bytes of requests()) {
    number += 1;
    if (number > max) {
      const what = `${param} must have at most ${max.toLocaleString('en-US')} requests. Create several batches.`;
      throw new GatewayError('invalid_request', what, { param });
    }
    const line = Buffer.from(`${lineOf(bytes, number)}\n`);
    hash?.update(line);
    yield line;
  }
  if (number === 0) throw new GatewayError('invalid_request', `${param} must contain a request.`, { param });
}
