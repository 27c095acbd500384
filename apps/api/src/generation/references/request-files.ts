import type { FileObject, VendorFiles } from '@sluice/canonical';
import type { FileReference } from '@sluice/protocols';

/** Vendors accept no larger files in a request. The content is in memory while the request is sent. */
export const MAX_INLINE_BYTES = 32 * 1024 * 1024;

/** In base 64, these are the 20 MB that Gemini accepts in a request, which is the smallest limit of the vendors. */
const SMALL_BYTES = 14 * 1024 * 1024;

/** The files that a request refers to. */
export interface RequestFiles {
  /** By id. */
  found: ReadonlyMap<string, FileObject>;
  references: readonly FileReference[];
}

/**
 * Returns the ids of the files that are uploaded to a vendor. Large ones are. If all files are large together, the
 * others are, too.
 * @param uploadBytes the size from which a file is large
 */
export function uploadedIds(
  { found, references }: RequestFiles,
  vendor: VendorFiles | undefined,
  uploadBytes: number,
): Set<string> {
  if (!vendor) return new Set();
  const isLargeTogether = bytesOf({ found, references }) > SMALL_BYTES;
  const uploaded = [...found.values()].filter(
    ({ mediaType, bytes }) => bytes > 0 && (isLargeTogether || bytes >= uploadBytes) && vendor.accepts(mediaType),
  );
  return new Set(uploaded.map(({ id }) => id));
}

/** Returns the size of the content that a request contains. @param except files that it does not contain */
export function bytesOf({ found, references }: RequestFiles, except: ReadonlySet<string> = new Set()): number {
  return references.reduce((sum, { id }) => sum + (except.has(id) ? 0 : (found.get(id)?.bytes ?? 0)), 0);
}
