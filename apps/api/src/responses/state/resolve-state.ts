import { GatewayError } from '@sluice/canonical';
import { inputItems, type TextRequest, withBody } from '@sluice/protocols';
import type { ApiKey } from '../../auth/api-keys.ts';
import { COMPACTION_PREFIX } from '../compaction/compaction-token.ts';
import { lookedUpId, referencedId } from './item-reference.ts';
import type { TextPlan } from '../../generation/plan-text.ts';
import { resolveItems } from './resolve-items.ts';
import type { GenerationDeps } from '../../generation/text-services.ts';

/** A request whose references to what we keep have been replaced by what they stand for. */
export interface ResolvedState {
  plan: TextPlan;
  /** The answer that this one goes on from. */
  previousId?: string;
  /** The input that the client itself has sent, as items. */
  ownItems: () => Record<string, unknown>[];
}

/** Whose references they are. */
export type StateOwner = Pick<ApiKey, 'name' | 'mayUseVendorReferences'>;

/**
 * Resolves `previous_response_id`, item references and compactions of ours, so that any upstream can serve what is left.
 * Answers and items that a vendor keeps can only be gone on from there: the plan is then narrowed to that upstream. A
 * request in which nothing was to be replaced stays the very bytes that came; in another, all other items stay as they were.
 * @throws GatewayError `previous_response_not_found`, `item_not_found`, `invalid_encrypted_content`, `store_unavailable`
 */
export async function resolveState(deps: GenerationDeps, owner: StateOwner, plan: TextPlan): Promise<ResolvedState> {
  const { request } = plan;
  const ownItems = (): Record<string, unknown>[] => inputItems(request.body(), deps.newId);
  const previousId = textOf(request.member('previous_response_id'));
  if (previousId === undefined) return { plan: await withItems(deps, owner, plan), ownItems };
  const previous = await deps.responses.get(owner.name, previousId);
  if (!previous) throw notFound(previousId);
  if (previous.native) {
    const narrow = narrowed(plan, [previous.upstream]) ?? itemUpstream(previousId);
    return { plan: await withItems(deps, owner, narrow), previousId, ownItems };
  }
  const before = await deps.responses.chain(owner.name, previousId);
  return { plan: await withItems(deps, owner, plan, before), previousId, ownItems };
}

/** @param before what was said before, where it is ours to send along */
async function withItems(
  deps: GenerationDeps,
  { name: owner, mayUseVendorReferences }: StateOwner,
  plan: TextPlan,
  before?: readonly unknown[],
): Promise<TextPlan> {
  const { request } = plan;
  const mayBeNative = plan.targets.some(({ target }) => target.protocol === 'responses');
  const guards = mayBeNative && !mayUseVendorReferences;
  if (!before && !mentionsItems(request, guards)) return plan;
  const body = request.body();
  const own = listOf(body['input']);
  const given = before ? [...before, ...own] : own;
  const { items, upstreams } = await resolveItems(deps, { owner, mayUseVendorReferences, mayBeNative }, given);
  const narrow = upstreams.size === 0 ? plan : (narrowed(plan, [...upstreams]) ?? itemElsewhere());
  if (items === own) return narrow;
  const { previous_response_id: resolved, ...rest } = body;
  const kept = before || resolved === undefined ? rest : body;
  return { ...narrow, request: withBody(request, { ...kept, input: items }) };
}

/** Looked for as text, so that most requests are not searched. */
function mentionsItems(request: TextRequest, guards: boolean): boolean {
  if (request.mentions('item_reference') || request.mentionsBeginning(COMPACTION_PREFIX)) return true;
  const input = request.mentions('id') ? request.member('input') : undefined;
  if (!Array.isArray(input)) return false;
  return input.some((item) => referencedId(item) !== undefined || (guards && lookedUpId(item) !== undefined));
}

/** A text alone is one message. */
function listOf(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? input : [];
}

/** The plan with an upstream alone, if that serves the model. */
function narrowed(plan: TextPlan, upstreams: readonly string[]): TextPlan | undefined {
  // What lies at two upstreams is nowhere together.
  const targets = plan.targets.filter(({ target }) => upstreams.every((upstream) => target.upstream === upstream));
  return targets.length > 0 ? { ...plan, targets } : undefined;
}

function itemUpstream(previousId: string): never {
  throw new GatewayError(
    'previous_response_not_found',
    `Response '${previousId}' is kept by an upstream that does not serve this model. Send the conversation itself.`,
    { param: 'previous_response_id' },
  );
}

function itemElsewhere(): never {
  throw new GatewayError(
    'item_not_found',
    'The input refers to items of an upstream that does not serve this model. Send the items themselves.',
    { param: 'input' },
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
