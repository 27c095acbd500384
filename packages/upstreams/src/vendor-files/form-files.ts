import { randomUUID } from 'node:crypto';
import type { VendorFile, VendorFiles, VendorUpload } from '@sluice/canonical';
import { z } from 'zod';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { openAiRefusal } from '../direct/openai-refusal.ts';
import { multipartBody } from '../http/multipart-body.ts';
import { parseBaseUrl, pathBelow } from '../text/base-url.ts';
import { keyHeader } from '../text/bearer.ts';
import { fileCaller, misunderstood, storesFiles } from './file-caller.ts';

type FilesContext = Pick<UpstreamContext, 'fetchUpstream' | 'timeouts' | 'now'>;

interface FormStore {
  account: UpstreamAccount;
  context: FilesContext;
  headers: Record<string, string>;
  /** The path of the list of files. */
  path: (id?: string) => string;
  types: RegExp;
  /** Minimum and maximum lifetime that the vendor accepts, in seconds. */
  lifetime: readonly [min: number, max: number];
  fields: (seconds: number) => [name: string, value: string][];
}

const WireFile = z.looseObject({
  id: z.string().min(1),
  // OpenAI sends Unix seconds, Anthropic RFC 3339.
  expires_at: z
    .union([z.number().transform((seconds) => seconds * 1_000), z.iso.datetime().transform((text) => Date.parse(text))])
    .optional()
    .catch(undefined),
});

/** A vendor's store of files that are uploaded in a form. */
function formFiles({ account, context, headers, path, types, lifetime, fields }: FormStore): VendorFiles {
  const call = fileCaller(account, context, headers, openAiRefusal);
  const [min, max] = lifetime;
  return {
    accepts: (mediaType) => types.test(mediaType),
    async upload({ filename, mediaType, bytes, expiresAt, source }: VendorUpload, signal): Promise<VendorFile> {
      const seconds = Math.min(max, Math.max(min, Math.ceil((expiresAt - context.now()) / 1_000)));
      const files = [{ name: 'file', filename, mediaType, bytes, source }];
      const body = multipartBody({ fields: fields(seconds), files }, `sluice-${randomUUID()}`);
      const { data } = WireFile.safeParse((await call({ method: 'POST', path: path(), body, signal })).body);
      if (!data) throw misunderstood();
      return { id: data.id, ...(data.expires_at !== undefined && { expiresAt: data.expires_at }) };
    },
    async remove(id, signal) {
      await call({ method: 'DELETE', path: path(encodeURIComponent(id)), signal });
    },
  };
}

/**
 * OpenAI's files (openai-node 7.55, `resources/files`).
 * @param types the media types that requests of the protocol can refer to
 * @returns undefined if the account has no files
 */
export function openAiFiles(account: UpstreamAccount, context: FilesContext, types: RegExp): VendorFiles | undefined {
  if (!storesFiles(account, /^api\.openai\.com$/)) return undefined;
  const { api_key: apiKey, base_url: baseUrl } = account;
  const base = parseBaseUrl(baseUrl);
  return formFiles({
    account,
    context,
    headers: apiKey === undefined ? {} : Object.fromEntries([keyHeader(apiKey, baseUrl)]),
    path: (id) => pathBelow(base, id === undefined ? '/files' : `/files/${id}`),
    types,
    lifetime: [3_600, 30 * 24 * 3_600],
    fields: (seconds) => [
      ['purpose', 'user_data'],
      ['expires_after[anchor]', 'created_at'],
      ['expires_after[seconds]', String(seconds)],
    ],
  });
}

/** The value of `anthropic-beta` for files (@anthropic-ai/sdk 1.11, `resources/beta/files`). */
export const FILES_BETA = 'files-api-2025-04-14';

/**
 * Anthropic's files, which are in beta.
 * @param basePath normalizes the path of the base URL
 * @returns undefined if the account has no files
 */
export function messagesFiles(
  account: UpstreamAccount,
  context: FilesContext,
  { basePath, headers }: { basePath: (path: string) => string; headers: Record<string, string> },
): VendorFiles | undefined {
  if (!storesFiles(account, /^api\.anthropic\.com$/)) return undefined;
  const base = parseBaseUrl(account.base_url);
  const { api_key: apiKey } = account;
  return formFiles({
    account,
    context,
    headers: { ...headers, 'anthropic-beta': FILES_BETA, ...(apiKey !== undefined && { 'x-api-key': apiKey }) },
    path: (id) => pathBelow({ ...base, path: basePath(base.path) }, id === undefined ? '/v1/files' : `/v1/files/${id}`),
    types: /^(?:image\/(?:png|jpeg|webp|gif)|application\/pdf|text\/plain)$/,
    lifetime: [3_600, 90 * 24 * 3_600],
    fields: (seconds) => [['expires_in_seconds', String(seconds)]],
  });
}
