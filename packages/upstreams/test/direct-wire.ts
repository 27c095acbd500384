import type { EmbeddingParams, Loss, RerankParams } from '@sluice/canonical';
import type { DirectWire } from '../src/direct/create-direct-upstream.ts';

export function sentBy<Params>(wire: DirectWire<Params, unknown>, params: Params, model = 'm') {
  const losses: Loss[] = [];
  const { path, json } = wire.request(params, { model, report: (loss) => losses.push(loss) });
  return { path, json, lost: losses.map(({ field }) => field) };
}

export function embeddingParams(more: Partial<EmbeddingParams> = {}): EmbeddingParams {
  return { inputs: ['a'], prefersBase64: false, foreign: { protocol: 'openai', fields: {} }, ...more };
}

export function rerankParams(more: Partial<RerankParams> = {}): RerankParams {
  const foreign = { protocol: 'cohere', fields: {} } as const;
  return { query: 'q', documents: ['a', 'b'], returnDocuments: false, foreign, ...more };
}
