import { MANIFESTS, type ModelCapability, type VendorManifest } from '@sluice/vendors';
import { startTextStack, type TextStack } from '../text/text-stack.ts';

const KINDS: readonly VendorManifest[] = MANIFESTS;

/** Upstream kinds with embeddings, each with a model. */
export const EMBEDDING_KINDS = examplesOf('embedding');

/** Upstream kinds with reranking, each with a model. */
export const RERANK_KINDS = examplesOf('rerank');

const UPSTREAMS = Object.fromEntries(
  KINDS.map(({ kind, sandboxPath }) => [
    kind,
    { kind, base_url: `\${SLUICE_SANDBOX_URL}${sandboxPath}`, api_key: 'sk-sandbox' },
  ]),
);

function examplesOf(capability: ModelCapability): Readonly<Record<string, string>> {
  const models = KINDS.map(({ kind, examples }) => [kind, examples?.[capability]] as const);
  return Object.fromEntries(models.flatMap(([kind, model]) => (model === undefined ? [] : [[kind, model]])));
}

/** Returns a model whose account has a revoked key. */
export const wrongKeyOf = (kind: string): string => `wrong-key-${kind}`;
/** Returns a model with routes to three accounts. */
export const fallbackOf = (kind: string): string => `fallback-${kind}`;

/** Starts the API with one model per upstream kind, named like the kind. */
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
