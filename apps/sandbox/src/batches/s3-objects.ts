import type { Blob } from './blob-store.ts';

interface S3Object {
  blob: Blob;
  etag: string;
  /** Whether to break this download midway. */
  isCut?: () => boolean;
}

/** The objects of all buckets, keyed by their URI, e.g. `s3://bucket/path/file`. */
export function createS3Objects() {
  const objects = new Map<string, S3Object>();
  return {
    put: (uri: string, object: S3Object) => void objects.set(uri, object),
    find: (uri: string) => objects.get(uri),
    remove: (uri: string) => objects.delete(uri),
    /** Returns the URIs with a prefix, in the order of their names. */
    list: (prefix: string) =>
      [...objects.keys()].filter((uri) => uri.startsWith(prefix)).toSorted((one, other) => (one < other ? -1 : 1)),
  };
}

export type S3Objects = ReturnType<typeof createS3Objects>;
