/** Purposes of files, as in OpenAI's API. */
export const FILE_PURPOSES = [
  'assistants',
  'assistants_output',
  'batch',
  'batch_output',
  'fine-tune',
  'fine-tune-results',
  'vision',
  'user_data',
  'evals',
] as const;

export type FilePurpose = (typeof FILE_PURPOSES)[number];

interface DescribedFile {
  id: string;
  filename: string;
  mediaType: string;
  purpose: FilePurpose;
  bytes: number;
  createdAt: number;
  expiresAt: number;
}

/** A file of a client. All protocols show the same files. Times are in Unix milliseconds. */
export interface FileObject extends DescribedFile {
  /** Differs for different content. */
  etag: string;
  /** Hexadecimal SHA-256 of the content. Absent for a file that was uploaded in several parts. */
  sha256?: string;
}

export const UPLOAD_STATUSES = ['pending', 'completed', 'cancelled', 'expired'] as const;

/**
 * A file that is written in parts. `bytes` is the size that the client declared, or the size of all parts so far. The
 * upload must be completed before it expires.
 */
export interface FileUpload extends DescribedFile {
  status: (typeof UPLOAD_STATUSES)[number];
  /** The size of all parts so far. */
  receivedBytes: number;
  /** Set if the status is `completed`. */
  fileId?: string;
}

const FILE_ID = /^file-[0-9a-hjkmnp-tv-z]{25}$/;

/** Whether a text has the format of the id of a file at Sluice. Vendors' ids have other formats. */
export function isFileId(text: string): boolean {
  return FILE_ID.test(text);
}

/** Returns the id of the file that a URI in Google's format refers to, whatever its host. */
export function fileIdOfUri(uri: string): string | undefined {
  const [, digits = ''] = /(?:^|\/)files\/(\w+)$/.exec(uri) ?? [];
  return isFileId(`file-${digits}`) ? `file-${digits}` : undefined;
}

export function isUploadId(text: string): boolean {
  return /^upload_[0-9a-hjkmnp-tv-z]{25}$/.test(text);
}
