import type { PriceBook } from '@sluice/prices';
import type { GenerationDeps } from '../generation/generation-deps.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { BackgroundResponses } from './background-responses.ts';
import type { ResponseStore } from './store/response-store.ts';

export interface ResponsesDeps extends GenerationDeps {
  responses: ResponseStore;
  secret: string;
  background: BackgroundResponses;
  prices: PriceBook;
  ledger: Pick<Ledger, 'isEnabled'>;
}
