import type { FileObject, FilePurpose, FileUpload } from '@sluice/canonical';

/** The fields of a file's record, without its parts. */
export const FILE_FIELDS = [
  'id',
  'filename',
  'mediaType',
  'purpose',
  'bytes',
  'createdAt',
  'expiresAt',
  'etag',
  'sha256',
] as const;

type Fields = Readonly<Record<string, string | undefined>>;

/** Returns the fields of a record from a reply of `HMGET`. */
export function fieldsOf(names: readonly string[], values: readonly (string | null)[]): Fields {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? undefined]));
}

export function parseFile({ id = '', filename = '', mediaType = '', etag = '', ...fields }: Fields): FileObject {
  const { sha256 } = fields;
  return {
    id,
    filename,
    mediaType,
    purpose: fields['purpose'] as FilePurpose, // The cast is safe because only this package writes the record.
    bytes: Number(fields['bytes']),
    createdAt: Number(fields['createdAt']),
    expiresAt: Number(fields['expiresAt']),
    etag,
    ...(sha256 && { sha256 }),
  };
}

/** @param now an upload that is not completed in time has expired, even if no sweep has recorded it */
export function parseUpload({ id = '', filename = '', mediaType = '', ...fields }: Fields, now: number): FileUpload {
  const { declared, fileId } = fields;
  const [expiresAt, receivedBytes] = [Number(fields['expiresAt']), Number(fields['received'])];
  // The casts are safe because only this package writes the record.
  const status = fields['status'] as FileUpload['status'];
  return {
    id,
    filename,
    mediaType,
    purpose: fields['purpose'] as FilePurpose,
    bytes: declared ? Number(declared) : receivedBytes,
    createdAt: Number(fields['createdAt']),
    expiresAt,
    status: status === 'pending' && expiresAt <= now ? 'expired' : status,
    receivedBytes,
    ...(fileId && { fileId }),
  };
}
