import type { BatchStore } from '@sluice/batches';
import type { ModelCatalog } from '@sluice/config';
import type { FileStore } from '@sluice/files';
import type { Limiter } from '@sluice/limits';
import type { PriceBook } from '@sluice/prices';
import type { TokenCodec } from '@sluice/protocols';
import type { FastifyRequest } from 'fastify';

export interface BatchesDeps {
  batches: BatchStore;
  files: FileStore;
  catalog: ModelCatalog;
  defaultModels: Readonly<Partial<Record<'video' | 'image' | 'moderation', string | undefined>>>;
  prices: PriceBook;
  limiter: Pick<Limiter, 'spending'>;
  limits: {
    /** Maximum size of one request in the body of a creation. */
    requestBytes: number;
    maxInputBytes: number;
    maxLines: number;
    maxLineBytes: number;
    maxWindowMs: number;
  };
  tokenCodec: TokenCodec;
  /** The origin of the gateway, for links. Empty if it is not known. */
  originOf: (request: FastifyRequest) => string;
  newId: (prefix: string) => string;
}
