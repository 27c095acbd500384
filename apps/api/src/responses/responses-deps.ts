import type { GenerationDeps } from '../generation/generation-deps.ts';
import type { BackgroundResponses } from './background-responses.ts';
import type { ResponseStore } from './store/response-store.ts';

export interface ResponsesDeps extends GenerationDeps {
  responses: ResponseStore;
  secret: string;
  background: BackgroundResponses;
}
