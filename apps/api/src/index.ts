export type { StoredRun } from './auth/stored-run.ts';
export { buildApi, type ApiParts } from './build-api.ts';
export { openInternalApi, type OpenedInternalApi, type OpenInternalApiOptions } from './internal/open-internal-api.ts';
export type { InternalRequest, InternalResponse } from './internal/start-internal-api.ts';
