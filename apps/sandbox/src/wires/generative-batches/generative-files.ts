import type { BatchVendor } from '../../batches/batch-vendor.ts';
import type { Blob } from '../../batches/blob-store.ts';

export interface GenerativeFile {
  /** `files/` and the id. */
  name: string;
  blob: Blob;
  displayName?: string | undefined;
  mimeType: string;
  /** Unix milliseconds. */
  createdAt: number;
}

type NewFile = Pick<GenerativeFile, 'blob' | 'displayName' | 'mimeType'>;

/** Files are deleted after 48 hours (Gemini's guide "Files API"). */
const LIFE_MS = 48 * 3_600_000;

/** The files of Gemini: uploads, and the results of batches. */
export function createGenerativeFiles({ now, newId, blobs }: BatchVendor) {
  const files = new Map<string, GenerativeFile>();

  function isCurrent({ createdAt }: GenerativeFile): boolean {
    return now() < createdAt + LIFE_MS;
  }

  return {
    /** @param id default: a new one */
    add(file: NewFile, id: string = newId().slice(0, 12)): GenerativeFile {
      const added = { name: `files/${id}`, ...file, createdAt: now() };
      files.set(added.name, added);
      return added;
    },
    find(name: string): GenerativeFile | undefined {
      const file = files.get(name);
      return file !== undefined && isCurrent(file) ? file : undefined;
    },
    /** Returns the files, newest first. */
    all: () => [...files.values()].filter(isCurrent).toReversed(),
    async remove({ name, blob }: GenerativeFile): Promise<void> {
      files.delete(name);
      await blobs.remove(blob);
    },
  };
}

export type GenerativeFiles = ReturnType<typeof createGenerativeFiles>;

function time(at: number): string {
  return new Date(at).toISOString();
}

/** Formats a file (@google/genai 3.1.0, `File`). @param origin where the client reaches the API */
export function fileObject({ name, blob, displayName, mimeType, createdAt }: GenerativeFile, origin: string) {
  return {
    name,
    displayName,
    mimeType,
    sizeBytes: String(blob.bytes),
    createTime: time(createdAt),
    updateTime: time(createdAt),
    expirationTime: time(createdAt + LIFE_MS),
    uri: `${origin}/v1beta/${name}`,
    state: 'ACTIVE',
    source: 'UPLOADED',
  };
}
