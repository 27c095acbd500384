import { Readable } from 'node:stream';
import type { OpenedImage } from '@sluice/canonical';
import type { Form, FormFile } from '../http/multipart-body.ts';
import { openImage } from './plan/image-bytes.ts';

/**
 * Opens images as form files for streaming. Files are opened before the request is sent, so that a missing image does
 * not use up an attempt. {@link createMediaUpstream} closes them after the call.
 * @param nameOf returns the name of the form field
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

export function closeFiles(form: Form | undefined): void {
  for (const { source } of form?.files ?? []) if (source instanceof Readable) source.destroy();
}
