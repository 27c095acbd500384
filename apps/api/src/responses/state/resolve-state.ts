import { accountName, GatewayError, type Loss } from '@sluice/canonical';
import { inputItems, type TextRequest, withBody } from '@sluice/protocols';
import type { ApiKey } from '../../auth/api-keys.ts';
import type { AlternativePlan, TextPlan } from '../../generation/plan-text.ts';
import { printable } from '../../http/printable.ts';
import type { RoutedTarget } from '../../routing/targets.ts';
import { COMPACTION_PREFIX } from '../compaction/compaction-token.ts';
import { continueElsewhere } from './continue-elsewhere.ts';
import { lookedUpId, referencedId } from './item-reference.ts';
import { resolveItems, type StateDeps } from './resolve-items.ts';
import { previousResponseNotFound } from '../store/response-not-found.ts';

export interface ResolvedState {
  plan: TextPlan;
  previousId: string | undefined;
  ownItems: () => Record<string, unknown>[];
  /** Parts of the conversation that the plan's upstreams cannot receive. */
  losses?: readonly Loss[];
  /** Set if a vendor stores the conversation, and the gateway has copies. */
  alternative?: (() => Promise<AlternativePlan | undefined>) | undefined;
}

export type StateOwner = Pick<ApiKey, 'name' | 'mayUseVendorReferences'>;

/**
 * Replaces references to stored state so that any upstream can serve the request. If a response or item is stored at a
 * vendor, the plan is restricted to that upstream. A request without references keeps its exact bytes.
 * @throws GatewayError `previous_response_not_found`, and the errors of {@link resolveItems}
 */
export async function resolveState(deps: StateDeps, owner: StateOwner, plan: TextPlan): Promise<ResolvedState> {
  const { request } = plan;
  const ownItems = (): Record<string, unknown>[] => inputItems(request.body(), deps.newId);
  const previousId = nonEmptyText(request.member('previous_response_id'));
  if (previousId === undefined) return { plan: await withItems(deps, owner, plan), previousId, ownItems };
  const previous = await deps.responses.get(owner.name, previousId);
  if (!previous) throw previousResponseNotFound(previousId);
  if (previous.native) {
    const narrowed = narrow(plan, [previous.upstream]);
    const isOfVendor = (target: RoutedTarget): boolean => narrowed?.targets.includes(target) === true;
    const elsewhere = () => continueElsewhere(deps, owner.name, plan, previousId, isOfVendor);
    const alternative = previous.copy && elsewhere;
    if (!narrowed) {
      const other = await alternative?.();
      return other ? { ...other, previousId, ownItems } : responseElsewhere(previousId);
    }
    return { plan: await withItems(deps, owner, narrowed), previousId, ownItems, alternative };
  }
  const before = await deps.responses.chain(owner.name, previousId);
  return { plan: await withItems(deps, owner, plan, before), previousId, ownItems };
}

/** @param before earlier items of the conversation, if they are stored here */
async function withItems(
  deps: StateDeps,
  { name: owner, mayUseVendorReferences }: StateOwner,
  plan: TextPlan,
  before?: readonly unknown[],
): Promise<TextPlan> {
  const { request } = plan;
  const mayBeNative = plan.targets.some(({ target }) => target.protocol === 'responses');
  const isGuarded = mayBeNative && !mayUseVendorReferences;
  if (!before && !mentionsItems(request, isGuarded)) return plan;
  const body = request.body();
  const own = listOf(body['input']);
  const all = before ? [...before, ...own] : own;
  const { items, upstreams } = await resolveItems(deps, { owner, mayUseVendorReferences, mayBeNative }, all);
  const narrowed = upstreams.size === 0 ? plan : (narrow(plan, [...upstreams]) ?? itemElsewhere());
  if (items === own) return narrowed;
  const { previous_response_id: resolved, ...rest } = body;
  const others = before || resolved === undefined ? rest : body;
  return { ...narrowed, request: withBody(request, { ...others, input: items }) };
}

/** Whether a request may contain item references. Searches the raw text first, so that most requests are not parsed. */
function mentionsItems(request: TextRequest, isGuarded: boolean): boolean {
  if (request.mentions('item_reference') || request.mentionsBeginning(COMPACTION_PREFIX)) return true;
  const input = request.mentions('id') ? request.member('input') : undefined;
  if (!Array.isArray(input)) return false;
  return input.some((item) => referencedId(item) !== undefined || (isGuarded && lookedUpId(item) !== undefined));
}

function listOf(input: unknown): readonly unknown[] {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? input : [];
}

/** Restricts the plan to the given upstreams or credentials. Returns undefined if no target remains. */
function narrow(plan: TextPlan, upstreams: readonly string[]): TextPlan | undefined {
  const targets = plan.targets.filter(({ target }) =>
    // Responses that were stored before the upstream had a pool name no credential.
    upstreams.every((account) => account === accountName(target) || account === target.upstream),
  );
  return targets.length > 0 ? { ...plan, targets } : undefined;
}

function responseElsewhere(previousId: string): never {
  throw new GatewayError(
    'previous_response_not_found',
    `Response ${printable(previousId)} is stored by an upstream that does not serve this model. Send the conversation itself.`,
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

function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
