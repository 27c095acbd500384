import { type FileObject, GatewayError } from '@sluice/canonical';
import type { FileStore } from '@sluice/files';
import type { Metrics } from '@sluice/telemetry';
import {
  FILE_FIELDS_PATTERN,
  type FileReference,
  fileReferences,
  type InlineFile,
  inlineFiles,
  type TextRequest,
  withBody,
} from '@sluice/protocols';
import type { ClientCall } from '../../auth/client-call.ts';
import { findFile } from '../../http/content/find-file.ts';
import { inBytes } from '../../http/form-limits.ts';
import type { RoutedTarget } from '../../routing/targets.ts';
import { bytesOf, MAX_INLINE_BYTES, type RequestFiles, uploadedIds } from './request-files.ts';

export interface FilesDeps {
  files: Pick<FileStore, 'find' | 'open'>;
  /** The size from which a file is uploaded to vendors that store files. */
  vendorUploadBytes: number;
  metrics: Pick<Metrics, 'fileReferences'>;
}

interface Plan {
  request: TextRequest;
  targets: readonly Pick<RoutedTarget, 'capability'>[];
}

/**
 * Replaces references to files of Sluice by the files' content, so that any upstream can serve the request. References
 * to files of vendors stay.
 * @param mayUpload whether the plan is served by `serveText`. If one of its upstreams stores files, and a file is large,
 * the references stay, and are replaced for each upstream.
 * @throws GatewayError `file_not_found`, `payload_too_large`, and `invalid_request`
 */
export async function resolveFiles<P extends Plan>(
  deps: FilesDeps,
  { apiKey, request, reply }: Pick<ClientCall, 'apiKey' | 'request' | 'reply'>,
  plan: P,
  mayUpload = true,
): Promise<P & { files?: RequestFiles }> {
  const { files, vendorUploadBytes } = deps;
  // Searches the raw text first, so most requests are not parsed.
  if (!plan.request.mentionsAny(FILE_FIELDS_PATTERN)) return plan;
  const references = fileReferences(plan.request.protocol.name, plan.request.body());
  if (references.length === 0) return plan;
  const requestFiles = { found: await findFiles(files, apiKey.name, references), references };
  const total = bytesOf(requestFiles);
  const inlineBytes = plan.targets.map(({ capability }) =>
    mayUpload ? bytesOf(requestFiles, uploadedIds(requestFiles, capability.files, vendorUploadBytes)) : total,
  );
  const sendable = inlineBytes.filter((bytes) => bytes <= MAX_INLINE_BYTES);
  if (sendable.length === 0) throw tooLarge();
  // The text in base 64 and the body that contains it.
  request.reserveMemory(reply).add(Math.ceil((Math.max(...sendable) * 8) / 3));
  if (inlineBytes.some((bytes) => bytes < total)) return { ...plan, files: requestFiles };
  return { ...plan, request: await withContent(deps, plan.request, requestFiles) };
}

/**
 * Replaces references to files by their content.
 * @param except files whose references stay
 * @throws GatewayError `payload_too_large`
 */
export async function withContent(
  { files, metrics }: Pick<FilesDeps, 'files' | 'metrics'>,
  request: TextRequest,
  requestFiles: RequestFiles,
  except: ReadonlySet<string> = new Set(),
): Promise<TextRequest> {
  if (bytesOf(requestFiles, except) > MAX_INLINE_BYTES) throw tooLarge();
  const inline = new Map<string, InlineFile>();
  for (const [id, { filename, mediaType }] of requestFiles.found) {
    if (!except.has(id)) inline.set(id, { filename, mediaType, data: await readBase64(files, id) });
  }
  if (inline.size === 0) return request;
  metrics.fileReferences.inc({ how: 'content' }, inline.size);
  return withBody(request, inlineFiles(request.protocol.name, request.body(), inline));
}

function tooLarge(): GatewayError {
  const limit = inBytes(MAX_INLINE_BYTES);
  const what = `The files of the request must be at most ${limit} in total. Send fewer or smaller files.`;
  return new GatewayError('payload_too_large', what);
}

async function findFiles(
  files: Pick<FileStore, 'find'>,
  owner: string,
  references: readonly FileReference[],
): Promise<Map<string, FileObject>> {
  const params = new Map(references.map(({ id, param }) => [id, param]));
  const found = await Promise.all(
    [...params].map(async ([id, param]) => [id, await findFile(files, owner, { id, param })] as const),
  );
  return new Map(found);
}

async function readBase64(files: Pick<FileStore, 'open'>, id: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  // The cast is safe because the store's streams yield bytes.
  for await (const chunk of (await files.open(id)) as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('base64');
}
