import { setTimeout } from 'node:timers/promises';
import { GatewayError, UpstreamRefusalError, type VendorFile, type VendorFiles } from '@sluice/canonical';
import { z } from 'zod';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { googleRefusal } from './google-refusal.ts';
import { parseBaseUrl, pathBelow } from '../text/base-url.ts';
import { fileCaller, misunderstood, storesFiles } from '../vendor-files/file-caller.ts';

const WireFile = z.looseObject({
  name: z.string().regex(/^files\/[\w-]+$/),
  uri: z.string().min(1),
  state: z.string().optional().catch(undefined),
  expirationTime: z.iso
    .datetime()
    .transform((text) => Date.parse(text))
    .optional()
    .catch(undefined),
});
const WireUpload = z.looseObject({ file: WireFile });

const POLL_MS = 1_000;
/** Google processes videos at several times their speed. */
const MAX_POLLS = 600;

/**
 * Google's files, which a resumable upload creates (@google/genai 3.1, `_uploader.ts`). Google deletes them after 48
 * hours.
 * @param account with a version in its base URL
 * @returns undefined if the account has no files
 */
export function resumableFiles(
  account: UpstreamAccount,
  context: Pick<UpstreamContext, 'fetchUpstream' | 'timeouts' | 'now'>,
): VendorFiles | undefined {
  if (!storesFiles(account, /^generativelanguage\.googleapis\.com$/)) return undefined;
  const base = parseBaseUrl(account.base_url);
  const { api_key: apiKey } = account;
  const call = fileCaller(account, context, apiKey === undefined ? {} : { 'x-goog-api-key': apiKey }, googleRefusal);
  const uploads = { ...base, path: base.path.replace(/(?=\/v1\w*$)/, '/upload') };

  /** Waits until requests can use the file. */
  async function whenActive(uploaded: z.output<typeof WireFile>, signal: AbortSignal): Promise<VendorFile> {
    let file = uploaded;
    for (let polls = 0; file.state === 'PROCESSING' && polls < MAX_POLLS; polls++) {
      await setTimeout(POLL_MS, undefined, { signal });
      const { body } = await call({ method: 'GET', path: pathBelow(base, `/${file.name}`), signal });
      const { data } = WireFile.safeParse(body);
      if (!data) throw misunderstood();
      file = data;
    }
    if (file.state === 'FAILED' || file.state === 'PROCESSING') {
      const what = 'The upstream could not process the file. Send another file.';
      throw new UpstreamRefusalError(400, new GatewayError('invalid_request', what));
    }
    return { id: file.uri, ...(file.expirationTime !== undefined && { expiresAt: file.expirationTime }) };
  }

  return {
    accepts: (mediaType) => mediaType !== 'application/octet-stream',
    async upload({ filename, mediaType, bytes, source }, signal) {
      const started = await call({
        method: 'POST',
        path: pathBelow(uploads, '/files'),
        headers: {
          'x-goog-upload-protocol': 'resumable',
          'x-goog-upload-command': 'start',
          'x-goog-upload-header-content-length': String(bytes),
          'x-goog-upload-header-content-type': mediaType,
        },
        body: { kind: 'json', value: { file: { display_name: filename } } },
        signal,
      });
      const url = URL.parse(started.headers['x-goog-upload-url'] ?? '');
      if (!url) throw misunderstood();
      const { body } = await call({
        method: 'POST',
        // The vendor's host is replaced by the configured one, which may be a proxy.
        path: url.pathname + url.search,
        headers: { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' },
        body: { kind: 'stream', contentType: mediaType, bytes, source },
        signal,
      });
      const { data } = WireUpload.safeParse(body);
      if (!data) throw misunderstood();
      return whenActive(data.file, signal);
    },
    async remove(id, signal) {
      const [name = ''] = /[\w-]+$/.exec(id) ?? [];
      await call({ method: 'DELETE', path: pathBelow(base, `/files/${name}`), signal });
    },
  };
}
