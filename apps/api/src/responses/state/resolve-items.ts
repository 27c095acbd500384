import { GatewayError } from '@sluice/canonical';
import { expandCompaction } from '../compaction/expand-compaction.ts';
import { lookedUpId, referencedId, hasContent } from './item-reference.ts';
import type { GenerationDeps } from '../../generation/text-services.ts';

/** Who refers to items, and where the request may go. */
export interface ReferenceOwner {
  /** Name of the API key. */
  owner: string;
  /** Whether it may name what it did not get. */
  mayUseVendorReferences: boolean;
  /** Whether an upstream that keeps items may serve the request. */
  mayBeNative: boolean;
}

/** Input items without references to what is kept here. */
export interface ResolvedItems {
  /** The same array when there was nothing to replace, else with the others as they were. */
  items: readonly unknown[];
  /** The upstreams that keep what is still referred to. */
  upstreams: ReadonlySet<string>;
}

/**
 * Puts kept items in the place of references to them, and summaries in the place of our compactions. An item that a vendor
 * keeps stays a reference, for the key that got it; the account there is shared by all keys.
 * @throws GatewayError `item_not_found`, `invalid_encrypted_content`, `store_unavailable`
 */
export async function resolveItems(
  deps: GenerationDeps,
  { owner, mayUseVendorReferences, mayBeNative }: ReferenceOwner,
  items: readonly unknown[],
): Promise<ResolvedItems> {
  const guards = mayBeNative && !mayUseVendorReferences;
  const ids = items.map((item) => referencedId(item) ?? (guards ? lookedUpId(item) : undefined));
  const wanted = ids.filter((id) => id !== undefined);
  const [kept, itemUpstream] = await Promise.all([
    deps.responses.item(owner, wanted),
    deps.responses.upstreamsOf(owner, wanted),
  ]);
  const upstreams = new Set<string>();

  function resolveReference(item: unknown, id: string, index: number): unknown {
    const found = kept.get(id);
    if (found !== undefined) return found;
    const upstream = itemUpstream.get(id);
    if (upstream === undefined) {
      if (guards) throw notFound(id, index);
    } else if (mayBeNative || !id.startsWith('rs_')) upstreams.add(upstream); // nobody but its maker needs reasoning
    return item;
  }

  function guardLookedUp(item: unknown, id: string, index: number): unknown {
    if (kept.has(id) || itemUpstream.has(id)) return item;
    if (!hasContent(item)) throw notFound(id, index);
    return { ...item, id: deps.newId('rs_') };
  }

  const resolved = items.map((item, index) => {
    const id = ids[index];
    if (id === undefined) return item;
    return referencedId(item) === undefined ? guardLookedUp(item, id, index) : resolveReference(item, id, index);
  });
  const isSame = resolved.every((item, index) => item === items[index]);
  return { items: expandCompaction(isSame ? items : resolved, deps.secret), upstreams };
}

/** An item that nobody has, or another. */
function notFound(id: string, index: number): GatewayError {
  return new GatewayError('item_not_found', `Item with id '${id.slice(0, 80)}' not found.`, {
    param: `input[${index}]`,
  });
}
