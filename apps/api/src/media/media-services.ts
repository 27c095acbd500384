import type { MediaCapabilities } from '@sluice/canonical';
import type { ModelCatalog } from '@sluice/config';
import type { ContentStore, TaskEngine } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import type { FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import type { Charges } from '../metering/charges.ts';
import type { FormLimits } from './read-form.ts';
import type { ContentLinks } from './content-links.ts';

/** What videos and images are made with. */
export interface MediaDeps {
  engine: TaskEngine;
  content: ContentStore;
  catalog: ModelCatalog;
  /** What each upstream can make, by name. */
  accounts: ReadonlyMap<string, MediaCapabilities>;
  /** Models of requests that name none. */
  defaultModels: { video: string | undefined; image: string | undefined };
  limits: FormLimits;
  charges: Charges;
  /** Who is calling by the keys as they are now. @throws GatewayError `invalid_api_key` */
  callerOf(request: FastifyRequest): ApiKey;
  links: ContentLinks;
  /** Where callbacks may lead by http. */
  callbackOrigins: ReadonlySet<string>;
  /** Where pictures may lie although the address is not public. */
  imageOrigins: ReadonlySet<string>;
  /** How long an image request is held until its task has ended, milliseconds. */
  imageWaitMs: number;
  /** Silence of a stream of events after which a sign of life is sent, milliseconds. */
  keepAliveMs: number;
  /** Aborts when the process is asked to stop: whoever waits is answered with the task as it is. */
  stopping: AbortSignal;
  logger: Logger;
}
