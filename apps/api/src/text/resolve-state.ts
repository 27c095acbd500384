import { GatewayError } from '@sluice/canonical';
import { inputItems, type TextRequest, withBody } from '@sluice/protocols';
import { COMPACTION_PREFIX } from '../text-state/compaction.ts';
import { expandCompaction } from '../text-state/expand-compaction.ts';
import type { TextPlan } from './plan-text.ts';
import type { TextRoom } from './text-room.ts';

/** A request whose references to what we keep have been replaced by what they stand for. */
export interface ResolvedState {
  plan: TextPlan;
  /** The answer that this one goes on from. */
  previousId?: string;
  /** The input that the client itself has sent, as items. */
  ownItems: () => Record<string, unknown>[];
}

/**
 * Resolves `previous_response_id`, item references and compactions of ours, so that any upstream can serve what is left. An
 * answer that its vendor keeps can only be gone on from there: the plan is then narrowed to that upstream.
 * @throws GatewayError `previous_response_not_found`, `invalid_encrypted_content`, `store_unavailable`
 */
export async function resolveState(room: TextRoom, owner: string, plan: TextPlan): Promise<ResolvedState> {
  const { request } = plan;
  const ownItems = (): Record<string, unknown>[] => inputItems(request.body(), room.newId);
  const previousId = textOf(request.member('previous_response_id'));
  if (previousId !== undefined) {
    const previous = await room.responses.get(owner, previousId);
    if (!previous) throw notFound(previousId);
    if (previous.native) return { plan: narrowed(plan, previous.upstream, previousId), previousId, ownItems };
    const before = await room.responses.chain(owner, previousId);
    const { previous_response_id: _resolved, ...rest } = request.body();
    const input = await resolveItems(room, owner, plan, [...before, ...ownItems()]);
    return { plan: { ...plan, request: withBody(request, { ...rest, input }) }, previousId, ownItems };
  }
  if (!namesItems(request)) return { plan, ownItems };
  const body = request.body();
  const input = await resolveItems(room, owner, plan, inputItems(body, room.newId));
  return { plan: { ...plan, request: withBody(request, { ...body, input }) }, ownItems };
}

/** Looked for as text, so that most requests are not searched. */
function namesItems(request: TextRequest): boolean {
  if (request.mentions('item_reference') || request.mentionsBeginning(COMPACTION_PREFIX)) return true;
  const input = request.mentions('id') ? request.member('input') : undefined;
  return Array.isArray(input) && input.some((item) => referencedId(item) !== undefined);
}

async function resolveItems(
  room: TextRoom,
  owner: string,
  { targets }: TextPlan,
  items: readonly unknown[],
): Promise<unknown[]> {
  const wanted = items.map(referencedId);
  const ids = wanted.filter((id) => id !== undefined);
  const known = ids.length > 0 ? await room.responses.item(owner, ids) : new Map<string, unknown>();
  const mayBeVendors = targets.some(({ target }) => target.protocol === 'responses');
  const resolved = items.flatMap((item, index) => {
    const id = wanted[index];
    if (id === undefined) return [item];
    const found = known.get(id);
    if (found !== undefined) return [found];
    // The vendor may know it; nobody else needs reasoning that is gone.
    return mayBeVendors || !id.startsWith('rs_') ? [item] : [];
  });
  return [...expandCompaction(resolved, room.secret)];
}

/** The id of an item reference, whose type may be left out. */
function referencedId(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('id' in item)) return undefined;
  const type = 'type' in item ? item.type : undefined;
  const isReference = type === 'item_reference' || ((type === undefined || type === null) && !('role' in item));
  return isReference ? textOf(item.id) : undefined;
}

function narrowed(plan: TextPlan, upstream: string, previousId: string): TextPlan {
  const targets = plan.targets.filter(({ target }) => target.upstream === upstream);
  if (targets.length > 0) return { ...plan, targets };
  throw new GatewayError(
    'previous_response_not_found',
    `Response '${previousId}' is kept by an upstream that does not serve this model. Send the conversation itself.`,
    { param: 'previous_response_id' },
  );
}

function notFound(id: string): GatewayError {
  return new GatewayError('previous_response_not_found', `Previous response with id '${id.slice(0, 80)}' not found.`, {
    param: 'previous_response_id',
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
