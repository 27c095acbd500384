import type { MediaCapabilities } from '@sluice/canonical';
import type { ModelCatalog } from '@sluice/config';
import type { Credentials, Limiter } from '@sluice/limits';
import type { PriceBook } from '@sluice/prices';
import type { ContentStore } from '@sluice/content';
import type { FileStore } from '@sluice/files';
import type { TaskEngine } from '@sluice/tasks';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { CallerOf } from '../auth/authenticate.ts';
import type { FormLimits } from '../http/form-limits.ts';
import type { Charges } from '../metering/charges.ts';
import type { ContentLinks } from './content-links.ts';

export interface MediaDeps {
  engine: TaskEngine;
  content: ContentStore;
  files: Pick<FileStore, 'find' | 'open'>;
  catalog: ModelCatalog;
  accounts: ReadonlyMap<string, MediaCapabilities>;
  credentials: Credentials;
  defaultModels: { video: string | undefined; image: string | undefined };
  limits: FormLimits;
  charges: Charges;
  prices: PriceBook;
  limiter: Pick<Limiter, 'spending'>;
  callerOf: CallerOf;
  links: ContentLinks;
  /** Callback origins that may use private addresses or http. */
  callbackOrigins: ReadonlySet<string>;
  /** Origins of input images that may use private addresses. */
  imageOrigins: ReadonlySet<string>;
  imageWaitMs: number;
  keepAliveMs: number;
  stopping: AbortSignal;
  logger: Logger;
  metrics: Pick<Metrics, 'limitRefusals' | 'fileReferences'>;
}
