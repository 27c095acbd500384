import type { BatchVendor } from '../../batches/batch-vendor.ts';
import type { Blob } from '../../batches/blob-store.ts';

export interface OpenAiFile {
  id: string;
  blob: Blob;
  filename: string;
  purpose: string;
  /** Unix milliseconds. */
  createdAt: number;
  expiresAt?: number;
}

type NewFile = Pick<OpenAiFile, 'blob' | 'filename' | 'purpose'> & { expiresAfterSeconds?: number | undefined };

/** Files of batches expire after 30 days. Other files do not expire (openai 7.55.0, `FileCreateParams`). */
const BATCH_LIFE_SECONDS = 30 * 86_400;

export function createOpenAiFiles({ now, newId, blobs }: BatchVendor) {
  const files = new Map<string, OpenAiFile>();

  function isCurrent({ expiresAt = Infinity }: OpenAiFile): boolean {
    return now() < expiresAt;
  }

  return {
    add({ expiresAfterSeconds, ...file }: NewFile): OpenAiFile {
      const seconds = expiresAfterSeconds ?? (file.purpose.startsWith('batch') ? BATCH_LIFE_SECONDS : undefined);
      const createdAt = now();
      const added: OpenAiFile = {
        id: `file-${newId()}`,
        ...file,
        createdAt,
        ...(seconds !== undefined && { expiresAt: createdAt + seconds * 1000 }),
      };
      files.set(added.id, added);
      return added;
    },
    find(id: string): OpenAiFile | undefined {
      const file = files.get(id);
      return file !== undefined && isCurrent(file) ? file : undefined;
    },
    /** Returns the files, oldest first. */
    all: () => [...files.values()].filter(isCurrent),
    async remove({ id, blob }: OpenAiFile): Promise<void> {
      files.delete(id);
      await blobs.remove(blob);
    },
  };
}

export type OpenAiFiles = ReturnType<typeof createOpenAiFiles>;
