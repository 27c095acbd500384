import { startTextStack, type TextStack } from '../text/text-stack.ts';

/** Kinds of upstream with embeddings, each with a model. */
export const EMBEDDING_KINDS = {
  'chat-completions': 'text-embedding-3-small',
  'generative-content': 'gemini-embedding-001',
  cohere: 'embed-v4.0',
  jina: 'jina-embeddings-v3',
} as const;

/** Kinds of upstream with reranking, each with a model. */
export const RERANK_KINDS = { cohere: 'rerank-v3.5', jina: 'jina-reranker-v2-base-multilingual', tei: 'bge' } as const;

const SANDBOX = '${SLUICE_SANDBOX_URL}';
const key = { api_key: 'sk-sandbox' };
const UPSTREAMS = {
  'chat-completions': { kind: 'chat-completions', base_url: `${SANDBOX}/v1`, ...key },
  'generative-content': { kind: 'generative-content', base_url: `${SANDBOX}/v1beta`, ...key },
  cohere: { kind: 'cohere', base_url: `${SANDBOX}/cohere`, ...key },
  jina: { kind: 'jina', base_url: `${SANDBOX}/jina`, ...key },
  tei: { kind: 'tei', base_url: `${SANDBOX}/tei`, ...key },
};

/** A model whose account has a revoked key. */
export const wrongKeyOf = (kind: string): string => `wrong-key-${kind}`;
/** A model with routes to three accounts. */
export const fallbackOf = (kind: string): string => `fallback-${kind}`;

/** Starts the API with one model for each kind of upstream, which has the same name. */
export function startSearchStack(kinds: Readonly<Record<string, string>>, models: object[] = []): Promise<TextStack> {
  const accounts = Object.entries(UPSTREAMS).filter(([kind]) => kind in kinds);
  const upstreams = accounts.flatMap(([kind, account]) => [
    [kind, account],
    [`${kind}-2`, account],
    [`${kind}-3`, account],
    [wrongKeyOf(kind), { ...account, api_key: 'sk-revoked' }],
  ]);
  return startTextStack({
    upstreams: Object.fromEntries(upstreams),
    models: [
      ...Object.entries(kinds).flatMap(([kind, model]) => [
        { id: kind, routes: [{ upstream: kind, model }] },
        { id: wrongKeyOf(kind), routes: [{ upstream: wrongKeyOf(kind), model }] },
        {
          id: fallbackOf(kind),
          routes: [kind, `${kind}-2`, `${kind}-3`].map((upstream) => ({ upstream, model })),
        },
      ]),
      ...models,
    ],
  });
}
