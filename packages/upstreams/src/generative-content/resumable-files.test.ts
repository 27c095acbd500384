import { describe, expect, it } from 'vitest';
import type { UpstreamContext } from '../contract/upstream.ts';
import type { FetchUpstream } from '../http/fetch-upstream.ts';
import { resumableFiles } from './resumable-files.ts';

const URI = 'https://generativelanguage.googleapis.com/v1beta/files/abc';
const fileIn = (state: string) => ({ name: 'files/abc', uri: URI, state });
const LOCATION = { 'x-goog-upload-url': 'https://storage.example/upload/v1beta/files?upload_id=7' };

async function bytesOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  for await (const chunk of content) bytes += chunk.byteLength;
  return bytes;
}

async function* source() {
  yield Buffer.from('film');
}

/** Uploads a file to a vendor with these responses. */
async function upload(base_url: string, ...states: string[]) {
  const calls: string[] = [];
  const bodies: unknown[] = [{}, { file: fileIn(states[0] ?? '') }, ...states.slice(1).map(fileIn)];
  const fetchUpstream: FetchUpstream = async ({ method, url, body }) => {
    calls.push(`${method} ${String(url)}`);
    if (body?.kind === 'stream') expect(await bytesOf(body.source)).toBe(4);
    return { status: 200, headers: calls.length === 1 ? LOCATION : {}, body: bodies[calls.length - 1] };
  };
  const context: Pick<UpstreamContext, 'fetchUpstream' | 'timeouts' | 'now'> = {
    fetchUpstream,
    timeouts: { submitMs: 1_000, pollMs: 1_000, downloadIdleMs: 1_000 },
    now: Date.now,
  };
  const files = resumableFiles({ kind: 'generative-content', base_url, quirks: { files: true } }, context);
  const params = { filename: 'a.mp4', mediaType: 'video/mp4', bytes: 4, expiresAt: 0, source: source() };
  const stored = await files?.upload(params, new AbortController().signal);
  return { stored, calls };
}

describe('an upload to Google', () => {
  it('is sent to the host of the account, and waits until the file is processed', async () => {
    const { stored, calls } = await upload('https://proxy.example/google/v1beta', 'PROCESSING', 'ACTIVE');
    expect(stored).toEqual({ id: URI });
    expect(calls).toEqual([
      'POST https://proxy.example/google/upload/v1beta/files',
      'POST https://proxy.example/upload/v1beta/files?upload_id=7',
      'GET https://proxy.example/google/v1beta/files/abc',
    ]);
  });

  it('fails if the file cannot be processed', async () => {
    await expect(upload('https://proxy.example/v1beta', 'FAILED')).rejects.toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining('could not process') },
    });
  });
});
