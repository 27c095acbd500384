import { fieldOfRole } from '@sluice/canonical';
import type { FieldNames, RequestImage } from '@sluice/protocols';
import { checkPublicHost } from '../../http/public-url.ts';

/**
 * Checks the URLs of input images. Later, the worker that downloads an image also checks the resolved address.
 * @param origins private origins that are allowed, in `URL.origin` format
 * @throws GatewayError `invalid_request`
 */
export function checkImages(
  images: readonly RequestImage[],
  origins: ReadonlySet<string>,
  fieldNames: FieldNames,
): void {
  for (const image of images) {
    if (!('source' in image) || image.source.kind !== 'url') continue;
    const url = new URL(image.source.url);
    const field = fieldOfRole(image.role);
    if (!origins.has(url.origin)) checkPublicHost(url, fieldNames[field] ?? field, 'download.allow');
  }
}
