import type { FastifyInstance } from 'fastify';
import { openScope, type WireScope } from '../../http/open-scope.ts';
import type { FormatError } from './format-error.ts';

export interface MediaScope extends Pick<WireScope, 'authenticate'> {
  format: FormatError;
  /** Name of the header with the request id. Default: `x-request-id`. */
  requestIdHeader?: string;
}

/** If the API has a path prefix, unknown paths below it also return the vendor's error. */
export function openMediaScope(scope: FastifyInstance, wire: MediaScope): void {
  const { format, requestIdHeader = 'x-request-id', authenticate } = wire;
  openScope(scope, {
    requestIdHeader,
    authenticate,
    formatHttpError: (status, message) => (status >= 500 ? format('broken') : format('malformed', message)),
  });
  if (scope.prefix === '') return;
  scope.setNotFoundHandler((request) => {
    throw format('unknown_call', `${request.method} ${request.url}`);
  });
}
