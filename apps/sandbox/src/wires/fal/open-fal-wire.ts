import type { FastifyInstance } from 'fastify';
import { isKey } from '../../http/bearer-key.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { type MediaWire, type MediaWireSpec, openMediaWire } from '../media/media-wire.ts';
import { falError, formatFalError } from './fal-error.ts';
import { appOf, isApp } from './fal-models.ts';

export function openFalWire(
  scope: FastifyInstance,
  vendor: MediaVendor,
  own: Pick<MediaWireSpec, 'overLimit' | 'deferredChecks'> = {},
): MediaWire {
  return openMediaWire(scope, vendor, {
    ...own,
    wire: 'fal',
    format: formatFalError,
    // Clients poll immediately and treat 404 as final (@fal-ai/client 1.10.1).
    hasLag: false,
    requestIdHeader: 'x-fal-request-id',
    authenticate({ headers: { authorization = '' } }) {
      const key = /^Key\s+(\S+)\s*$/i.exec(authorization)?.[1];
      if (key === undefined) throw falError(401, 'Authentication is required to access this application.');
      // Source of the message: https://github.com/fal-ai/fal-swift/issues/8
      if (!isKey(key, vendor.apiKey)) throw falError(401, 'No user found for Key ID and Secret');
    },
  });
}

export interface EndpointParams {
  owner: string;
  alias: string;
  '*'?: string;
}

/**
 * Accepts any path below the application, because only the application defines those paths.
 * @throws WireError 404 for an unknown application.
 */
export function endpointOf({ owner, alias, '*': path = '' }: EndpointParams): string {
  const name = [owner, alias, ...path.split('/').filter((step) => step !== '')].join('/');
  if (isApp(appOf(name))) return name;
  // Source of the message: https://github.com/decolua/9router/issues/993
  throw falError(404, `Application "${alias}" not found`);
}
