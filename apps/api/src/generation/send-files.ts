import type { TextProtocolName } from '@sluice/canonical';
import { copiesInGeneration, referToCopies, type StoredReference, withBody } from '@sluice/protocols';
import { AttemptError } from '../routing/attempt-error.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { attemptErrorOf } from '../routing/upstream-failure.ts';
import type { GenerationDeps } from './generation-deps.ts';
import type { TextContext } from './text-context.ts';
import { copyToVendor, placeOf } from './references/copy-to-vendor.ts';
import { uploadedIds } from './references/request-files.ts';
import { withContent } from './references/resolve-files.ts';

type SendDeps = Pick<GenerationDeps, 'files' | 'vendorUploadBytes' | 'metrics' | 'now'>;

/**
 * Runs an attempt whose request contains the content of small files, and the vendor's ids of large ones. If the vendor
 * no longer has a file, the file is uploaded again, and the attempt repeated once.
 * @throws AttemptError
 */
export async function withRequestFiles<R>(
  deps: SendDeps,
  context: TextContext,
  routed: RoutedTarget,
  attempt: (context: TextContext) => Promise<R>,
): Promise<R> {
  if (!context.files) return attempt(context);
  try {
    return await attempt(await sendable(deps, context, routed));
  } catch (error) {
    if (!(error instanceof AttemptError) || error.missingFile === undefined) throw error;
    await forget(deps, context, routed, error.missingFile);
    return attempt(await sendable(deps, context, routed));
  }
}

async function forget({ files }: SendDeps, context: TextContext, routed: RoutedTarget, copyId: string): Promise<void> {
  const ids = [...(context.files?.found.keys() ?? [])];
  await Promise.all(ids.map((id) => files.copies.forget(placeOf(routed, id), copyId)));
}

/** @throws AttemptError if a file could not be uploaded, or the content is too large for this upstream */
async function sendable(deps: SendDeps, context: TextContext, routed: RoutedTarget): Promise<TextContext> {
  const { files, ...rest } = context;
  const vendor = routed.capability.files;
  if (!files) return context;
  try {
    const uploaded = uploadedIds(files, vendor, deps.vendorUploadBytes);
    const request = await withContent(deps, context.request, files, uploaded);
    if (!vendor || uploaded.size === 0) return { ...rest, request, decoded: () => context.decode(request) };
    const copies = new Map<string, StoredReference>();
    for (const id of uploaded) {
      const file = files.found.get(id);
      if (!file) continue;
      const copyId = await copyToVendor(deps, vendor, placeOf(routed, id), file, context.signal);
      copies.set(id, { id: copyId, mediaType: file.mediaType });
    }
    deps.metrics.fileReferences.inc({ how: 'vendor' }, copies.size);
    return referring({ ...rest, request }, routed, copies);
  } catch (error) {
    throw error instanceof AttemptError ? error : attemptErrorOf(error);
  }
}

function referring(
  context: TextContext,
  { target }: RoutedTarget,
  copies: ReadonlyMap<string, StoredReference>,
): TextContext {
  const { request } = context;
  // The cast is safe because only upstreams of clients' protocols store files.
  const protocol = target.protocol as TextProtocolName;
  const copyIds = [...copies.values()].map(({ id }) => id);
  if (request.protocol.name === protocol) {
    return { ...context, copyIds, request: withBody(request, referToCopies(protocol, request.body(), copies)) };
  }
  const decoded: TextContext['decoded'] = async () => {
    const { generation, losses } = await context.decode(request);
    return { generation: copiesInGeneration(generation, protocol, copies), losses };
  };
  return { ...context, copyIds, decoded };
}
