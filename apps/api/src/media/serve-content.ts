import { GatewayError, type MediaKind } from '@sluice/canonical';
import type { CallerOf } from '../auth/authenticate.ts';
import type { EndpointHandler } from '../auth/client-call.ts';
import type { ContentLinks } from './content-links.ts';
import { downloadFile } from './download-file.ts';
import type { MediaDeps } from './media-deps.ts';

export function contentHandler(
  deps: Pick<MediaDeps, 'engine' | 'content' | 'logger' | 'links' | 'callerOf'>,
  kind: MediaKind,
): EndpointHandler {
  return {
    authenticate: (request) => authenticateUnlessLinked(deps.links, deps.callerOf, request),
    serve: ({ apiKey, request, reply }) => downloadFile(deps, { kind, owner: apiKey.name, request, reply }),
    serveLinked: ({ request, reply }) => downloadFile(deps, { kind, request, reply }),
  };
}

/** A signed link needs no API key. @throws GatewayError `invalid_link` */
function authenticateUnlessLinked(links: ContentLinks, callerOf: CallerOf, request: Parameters<CallerOf>[0]) {
  if (links.isValid(request)) return undefined;
  if (links.isInvalid(request)) {
    const what = 'The link to this file has expired or was changed. Retrieve the task again for a new link.';
    throw new GatewayError('invalid_link', what);
  }
  return callerOf(request);
}
