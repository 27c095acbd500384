import type { GenerationDeps } from '../generation/generation-deps.ts';
import type { BackgroundResponses } from './background-responses.ts';
import type { ResponseStore } from './store/response-store.ts';

/** Everything that serves the responses protocol; each function picks what it uses. */
export interface ResponsesDeps extends GenerationDeps {
  responses: ResponseStore;
  /** Encrypts compactions. */
  secret: string;
  background: BackgroundResponses;
}
