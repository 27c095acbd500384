import { createHash } from 'node:crypto';
import { GatewayError, IMAGE_MAGIC_BYTES, imageType } from '@sluice/canonical';
import type { FileStore } from '@sluice/files';
import { type DecodedGroup, type EmbeddedImage, replaceImages } from '@sluice/protocols';

type Files = Pick<FileStore, 'write' | 'create' | 'discard' | 'remove'>;

interface StoredGroupImages {
  /** The group with ids of files in place of the images. */
  decoded: DecodedGroup;
  /** Deletes the files. */
  remove: () => Promise<void>;
}

/**
 * Stores the images inside a group as files of the key. An image that occurs several times is decoded and stored once.
 * @throws GatewayError `invalid_request` for data that is not an image, or `storage_quota_exceeded`. All files are then
 * deleted.
 */
export async function storeImages(
  files: Files,
  owner: string,
  { shared, items, ...group }: DecodedGroup,
): Promise<StoredGroupImages> {
  const ids = new Map<string, string>();
  const remove = async (): Promise<void> => {
    // A file that remains expires.
    await Promise.allSettled([...ids.values()].map((id) => files.remove(owner, id)));
  };
  const storeAs = (nameOf: (field: string) => string) => async (image: EmbeddedImage) => {
    const hash = createHash('sha256').update(image.base64).digest('base64');
    const id = ids.get(hash) ?? (await storeFile(files, owner, image, nameOf(image.param)));
    ids.set(hash, id);
    return id;
  };
  try {
    const decoded: DecodedGroup = {
      ...group,
      shared: await replaceImages(
        shared,
        storeAs((field) => field),
      ),
      items: [],
    };
    for (const { fields, nameOf } of items) {
      decoded.items.push({ nameOf, fields: await replaceImages(fields, storeAs(nameOf)) });
    }
    return { decoded, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function storeFile(files: Files, owner: string, { base64 }: EmbeddedImage, param: string): Promise<string> {
  const bytes = Buffer.from(base64, 'base64');
  const mediaType = imageType(bytes.subarray(0, IMAGE_MAGIC_BYTES));
  if (!mediaType)
    throw new GatewayError('invalid_request', `${param} must be a PNG, JPEG, WebP, or GIF image.`, { param });
  const content = await files.write(chunkOf(bytes), bytes.byteLength);
  try {
    return (await files.create(owner, { filename: 'input', mediaType, purpose: 'vision' }, content)).id;
  } catch (error) {
    await files.discard(content);
    throw error;
  }
}

async function* chunkOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
