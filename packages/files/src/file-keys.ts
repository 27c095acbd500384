/** The names of Redis keys of files, under the deployment's hash tag. `lua/includes/keys.lua` builds the same names. */
export interface FileKeys {
  prefix: string;
  file(id: string): string;
  upload(id: string): string;
  parts(uploadId: string): string;
  /** The number of files of an owner and their bytes. */
  usage(ownerId: string): string;
  /** Counts of all files. */
  totals: string;
  /** Content keys by the time at which their content may be removed. */
  garbage: string;
  /** Copies at vendors that are to be deleted, by the time of the next try. */
  abandoned: string;
}

export function createFileKeys(name: string): FileKeys {
  const prefix = `{${name}}:files:`;
  return {
    prefix,
    file: (id) => `${prefix}file:${id}`,
    upload: (id) => `${prefix}upload:${id}`,
    parts: (uploadId) => `${prefix}parts:${uploadId}`,
    usage: (ownerId) => `${prefix}usage:${ownerId}`,
    totals: `${prefix}totals`,
    garbage: `${prefix}garbage`,
    abandoned: `${prefix}abandoned`,
  };
}
