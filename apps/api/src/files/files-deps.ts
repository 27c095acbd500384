import type { Config } from '@sluice/config';
import type { ContentStore } from '@sluice/content';
import type { FileStore } from '@sluice/files';
import type { Logger } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';

export interface FilesDeps {
  files: FileStore;
  content: ContentStore;
  limits: Pick<Config['limits'], 'json_bytes'> & Config['files'];
  /** The origin of the gateway, for links. Empty if it is not known. */
  originOf: (request: FastifyRequest) => string;
  newId: (prefix: string) => string;
  logger: Logger;
}
