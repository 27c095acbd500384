import { fieldOfRole, type InputImage } from '@sluice/canonical';
import type { FieldNames, InlineImage } from '@sluice/protocols';
import { checkPublicHost } from '../http/public-url.ts';

/**
 * Checks the URLs of a task's input images. They must be at the operator's origins, or at a public address other than
 * this
 * machine. Workers download each image by URL, for every upstream, and check the resolved address when they connect.
 * @param origins allowed origins, in the form of `URL.origin`
 * @throws GatewayError `invalid_request` naming the field
 */
export function checkImages(
  images: readonly (InputImage | InlineImage)[],
  origins: ReadonlySet<string>,
  fieldNames: FieldNames,
): void {
  for (const image of images) {
    if ('base64' in image || image.source.kind !== 'url') continue;
    const url = new URL(image.source.url);
    const field = fieldOfRole(image.role);
    if (!origins.has(url.origin)) checkPublicHost(url, fieldNames[field] ?? field);
  }
}
