import type { EmbeddingWish, Loss, RerankWish } from '@sluice/canonical';
import type { DirectWire } from '../src/direct/create-direct-upstream.ts';

/** What a wire sends for a wish, and the fields that it tells as lost. */
export function sentBy<Wish>(wire: DirectWire<Wish, unknown>, wish: Wish, model = 'm') {
  const losses: Loss[] = [];
  const { path, json } = wire.request(wish, { model, report: (loss) => losses.push(loss) });
  return { path, json, lost: losses.map(({ field }) => field) };
}

/** A wish of OpenAI's clients for the vector of one text, with what matters to a test. */
export function embeddingWish(more: Partial<EmbeddingWish> = {}): EmbeddingWish {
  return { inputs: ['a'], prefersBase64: false, foreign: { protocol: 'openai', fields: {} }, ...more };
}

/** A wish to rank two texts, with what matters to a test. */
export function rerankWish(more: Partial<RerankWish> = {}): RerankWish {
  const foreign = { protocol: 'cohere', fields: {} } as const;
  return { query: 'q', documents: ['a', 'b'], returnDocuments: false, foreign, ...more };
}
