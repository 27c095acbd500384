import type { PriceBook } from '@sluice/prices';
import type { GenerationDeps } from '../generation/generation-deps.ts';
import type { ResponseStore } from './store/response-store.ts';

export interface ResponsesDeps extends GenerationDeps {
  responses: ResponseStore;
  secret: string;
  /** Whether the gateway keeps copies of responses that their vendors store. */
  keepsCopies: boolean;
  prices: PriceBook;
}
