import { GatewayError } from '@sluice/canonical';
import { printable } from '../../http/printable.ts';
import { expandCompaction } from '../compaction/expand-compaction.ts';
import type { ResponseStore } from '../store/response-store.ts';
import { hasContent, lookedUpId, referencedId } from './item-reference.ts';

export interface StateDeps {
  responses: Pick<ResponseStore, 'get' | 'chain' | 'item' | 'upstreamsOf'>;
  secret: string;
  newId: (prefix: string) => string;
}

export interface ReferenceOwner {
  owner: string;
  mayUseVendorReferences: boolean;
  mayBeNative: boolean;
}

export interface ResolvedItems {
  /** The same array if nothing was replaced. */
  items: readonly unknown[];
  upstreams: ReadonlySet<string>;
}

/**
 * Replaces references with stored items. A reference to an item stored at a vendor is kept, but only for the key that
 * received the item, because keys share the vendor's account.
 * @throws GatewayError `item_not_found`, `invalid_encrypted_content`, `store_unavailable`
 */
export async function resolveItems(
  { responses, secret, newId }: StateDeps,
  { owner, mayUseVendorReferences, mayBeNative }: ReferenceOwner,
  items: readonly unknown[],
): Promise<ResolvedItems> {
  const isGuarded = mayBeNative && !mayUseVendorReferences;
  const ids = items.map((item) => referencedId(item) ?? (isGuarded ? lookedUpId(item) : undefined));
  const known = ids.filter((id) => id !== undefined);
  const [stored, upstreamOf] = await Promise.all([responses.item(owner, known), responses.upstreamsOf(owner, known)]);
  const upstreams = new Set<string>();

  function resolveReference(item: unknown, id: string, index: number): unknown {
    const storedItem = stored.get(id);
    if (storedItem !== undefined) return storedItem;
    const upstream = upstreamOf.get(id);
    if (upstream === undefined) {
      if (isGuarded) throw notFound(id, index);
    } else if (mayBeNative || !id.startsWith('rs_')) upstreams.add(upstream); // Only its vendor needs reasoning.
    return item;
  }

  function guardLookedUp(item: unknown, id: string, index: number): unknown {
    if (stored.has(id) || upstreamOf.has(id)) return item;
    if (!hasContent(item)) throw notFound(id, index);
    return { ...item, id: newId('rs_') };
  }

  const resolved = items.map((item, index) => {
    const id = ids[index];
    if (id === undefined) return item;
    return referencedId(item) === undefined ? guardLookedUp(item, id, index) : resolveReference(item, id, index);
  });
  const isSame = resolved.every((item, index) => item === items[index]);
  return { items: expandCompaction(isSame ? items : resolved, secret), upstreams };
}

function notFound(id: string, index: number): GatewayError {
  return new GatewayError('item_not_found', `Item ${printable(id)} does not exist. Send the item itself.`, {
    param: `input[${index}]`,
  });
}
