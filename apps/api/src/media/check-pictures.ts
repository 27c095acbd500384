import { fieldOfRole, GatewayError, type InputImage } from '@sluice/canonical';
import type { FieldNames, InlineImage } from '@sluice/protocols';
import { mayBePublicHost } from '@sluice/upstreams';

/**
 * Checks where the pictures of a task are to be fetched: at the operator's origins, or neither at an address that is not
 * public nor at this machine. Workers fetch each picture that has a URL, whatever the upstream takes. What a name leads to
 * is seen when it is connected to.
 * @param origins the operator's, as `URL.origin` spells them
 * @throws GatewayError `invalid_request` naming the field
 */
export function checkPictures(
  images: readonly (InputImage | InlineImage)[],
  origins: ReadonlySet<string>,
  fieldNames: FieldNames,
): void {
  for (const image of images) {
    if ('base64' in image || image.source.kind !== 'url') continue;
    const { origin, hostname } = new URL(image.source.url);
    if (origins.has(origin) || mayBePublicHost(hostname)) continue;
    const field = fieldOfRole(image.role);
    const param = fieldNames[field] ?? field;
    const what = `${param} must lead to a public address, unless the operator allows its origin.`;
    throw new GatewayError('invalid_request', what, { param });
  }
}
