import type { ModelCapability } from '@sluice/vendors';
import type { ReferenceIssue } from './reference-issue.ts';
import { capabilitiesOfKind } from '../schema/kinds.ts';
import type { ConfigFile, ModelConfig } from '../schema/schema.ts';

const TASK_CAPABILITIES: ReadonlySet<ModelCapability> = new Set(['video', 'image']);

/** Finds pools with duplicate, unused, or wrongly limited credentials, routes whose weight has no effect, and models that cannot be hedged. */
export function checkPools({ upstreams, models }: Pick<ConfigFile, 'upstreams' | 'models'>): ReferenceIssue[] {
  return [
    ...Object.entries(upstreams).flatMap(([name, upstream]) => checkPool(name, upstream)),
    ...models.flatMap(checkWeights),
    ...models.flatMap((model, index) => checkHedge(model, index, upstreams)),
  ];
}

function checkPool(upstream: string, { kind, credentials = [] }: ConfigFile['upstreams'][string]): ReferenceIssue[] {
  const path = ['upstreams', upstream, 'credentials'];
  const issues: ReferenceIssue[] = [];
  const isTaskKind = capabilitiesOfKind(kind).every((capability) => TASK_CAPABILITIES.has(capability));
  for (const [index, one] of credentials.entries()) {
    const at = [...path, index];
    const same = (field: 'name' | 'api_key' | 'access_key'): number =>
      credentials.findIndex((other) => one[field] !== undefined && other[field] === one[field]);
    for (const field of ['name', 'api_key', 'access_key'] as const) {
      const first = same(field);
      if (first === -1 || first === index) continue;
      const wrong = `the same ${field === 'name' ? 'name' : 'credential'} is in credentials[${first}]`;
      issues.push({ path: [...at, field], wrong, remedy: 'change or remove one' });
    }
    for (const field of ['rpm', 'tpm', 'budget'] as const) {
      if (!isTaskKind || one[field] === undefined) continue;
      const wrong = `kind \`${kind}\` serves only tasks, which have no such limit`;
      issues.push({ path: [...at, field], wrong, remedy: 'remove it, or limit tasks with `max_in_flight`' });
    }
  }
  if (credentials.length > 0 && credentials.every(({ weight }) => weight === 0)) {
    const wrong = 'every credential has `weight: 0`, so none gets new requests';
    issues.push({ path, wrong, remedy: 'raise the weight of one' });
  }
  return issues;
}

function checkHedge(
  { routes, hedge_ms: ms }: ModelConfig,
  index: number,
  upstreams: ConfigFile['upstreams'],
): ReferenceIssue[] {
  const [first] = routes;
  const pool = first && upstreams[first.upstream]?.credentials;
  if (ms === undefined || routes.length > 1 || (pool && pool.length > 1)) return [];
  const wrong = 'has no effect, because the model has only one route with one credential';
  return [{ path: ['models', index, 'hedge_ms'], wrong, remedy: 'remove it, or add a route' }];
}

function checkWeights({ routes, policy = 'priority' }: ModelConfig, index: number): ReferenceIssue[] {
  if (policy === 'weighted' || policy === 'least_busy') return [];
  return routes.flatMap(({ weight }, entry): ReferenceIssue[] => {
    if (weight === undefined) return [];
    const wrong = `has no effect with \`policy: ${policy}\``;
    const remedy = 'remove it, or set `policy: weighted`';
    return [{ path: ['models', index, 'routes', entry, 'weight'], wrong, remedy }];
  });
}
