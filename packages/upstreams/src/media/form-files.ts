import { Readable } from 'node:stream';
import type { OpenedImage } from '@sluice/canonical';
import type { Form, FormFile } from '../http/multipart-body.ts';
import { openImage } from './image-bytes.ts';

/**
 * Opens pictures to be streamed as files of a form. Before the request, so that a picture which is gone costs no attempt
 * of unknown outcome; {@link createMediaUpstream} closes them once the call is over.
 * @param nameOf the field of the form
 * @throws {ImageError}
 */
export async function openFiles(
  images: readonly OpenedImage[],
  nameOf: (image: OpenedImage) => string,
): Promise<FormFile[]> {
  const files: FormFile[] = [];
  try {
    for (const image of images) {
      const { filename, mediaType, bytes } = image;
      files.push({ name: nameOf(image), filename, mediaType, bytes, source: await openImage(image) });
    }
  } catch (error) {
    closeFiles({ fields: [], files });
    throw error;
  }
  return files;
}

/** Closes what nobody has read to its end. */
export function closeFiles(form: Form | undefined): void {
  for (const { source } of form?.files ?? []) if (source instanceof Readable) source.destroy();
}
