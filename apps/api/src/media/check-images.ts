import { fieldOfRole, type InputImage } from '@sluice/canonical';
import type { FieldNames, InlineImage } from '@sluice/protocols';
import { checkPublicHost } from '../http/public-url.ts';

/**
 * Checks where the pictures of a task are to be fetched: at the operator's origins, or neither at an address that is not
 * public nor at this machine. Workers fetch each picture that has a URL, whatever the upstream takes. What a name leads to
 * is seen when it is connected to.
 * @param origins the operator's, as `URL.origin` spells them
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
