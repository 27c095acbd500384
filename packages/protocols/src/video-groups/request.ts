import { withoutBlanks } from '../forms/form-fields.ts';
import { invalidField } from '../json/json-field.ts';
import { parseInput } from '../json/parse-input.ts';
import type { DecodedGroup, DecodedGroupItem } from '../contracts/video-groups-protocol.ts';
import {
  CreateVideoGroupSchema,
  ListVideoGroupsSchema,
  RetryVideoGroupSchema,
  VideoGroupQuerySchema,
} from './schema.ts';

/** Each list, and the field that its elements set. */
const LISTS = { prompts: 'prompt', models: 'model', seeds: 'seed' } as const;

/** @throws GatewayError `invalid_request` */
export function decodeGroup(body: unknown, maxVideos: number): DecodedGroup {
  const parsed = parseInput(CreateVideoGroupSchema, withoutBlanks(body));
  const { prompts, models, seeds, requests = [], max_cost_usd: maxCostUsd, callback_url: callbackUrl } = parsed;
  const { prompts: _p, models: _m, seeds: _s, requests: _r, max_cost_usd: _c, callback_url: _u, ...shared } = parsed;
  for (const [list, field] of Object.entries(LISTS)) {
    if (parsed[list] !== undefined && shared[field] !== undefined) {
      throw invalidField(list, `cannot be combined with ${field}. Send one of them`);
    }
  }
  const hasLists = (prompts ?? models ?? seeds) !== undefined;
  if (!hasLists && requests.length === 0) {
    throw invalidField('prompts', 'is required unless models, seeds, or requests are sent');
  }
  const combinations = hasLists ? (prompts?.length ?? 1) * (models?.length ?? 1) * (seeds?.length ?? 1) : 0;
  const total = combinations + requests.length;
  if (total > maxVideos) {
    const list = hasLists ? 'prompts' : 'requests';
    throw invalidField(list, `must create at most ${maxVideos} videos; got ${total}. Create several groups`);
  }
  const sweep = hasLists ? combine(prompts, models, seeds) : [];
  const further = requests.map((fields, at): DecodedGroupItem => ({ fields, nameOf: (name) => inRequest(at, name) }));
  return {
    shared,
    items: [...sweep, ...further],
    ...(maxCostUsd !== undefined && { maxCostUsd }),
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
}

/** Seeds vary fastest, then models. */
function combine(
  prompts: readonly string[] = [],
  models: readonly string[] = [],
  seeds: readonly (number | undefined)[] = [],
): DecodedGroupItem[] {
  let combined: [field: string, value: unknown][][] = [[]];
  for (const [field, values] of Object.entries({ prompt: prompts, model: models, seed: seeds })) {
    if (values.length > 0) combined = combined.flatMap((one) => values.map((value) => one.concat([[field, value]])));
  }
  const lists = new Map(Object.entries(LISTS).map(([list, field]) => [field as string, list]));
  return combined.map((pairs) => ({
    fields: Object.fromEntries(pairs),
    nameOf: (name) => (pairs.some(([field]) => field === name) ? (lists.get(name) ?? name) : name),
  }));
}

/** Formats the path of a field as forms do: `requests[3][images][0]`. */
function inRequest(index: number, name: string): string {
  const [first = name] = name.split('[', 1);
  return `requests[${index}][${first}]${name.slice(first.length)}`;
}

/** @throws GatewayError `invalid_request` */
export function decodeRetry(body: unknown): boolean {
  return parseInput(RetryVideoGroupSchema, withoutBlanks(body)).retry_unknown;
}

/** @throws GatewayError `invalid_request` */
export function decodeListing(query: unknown): { after?: string; limit: number } {
  const { after, limit } = parseInput(ListVideoGroupsSchema, query);
  return { limit, ...(after !== undefined && { after }) };
}

/** @throws GatewayError `invalid_request` */
export function decodePage(query: unknown): { from: number; limit: number } {
  const { after = -1, limit } = parseInput(VideoGroupQuerySchema, query);
  return { from: after + 1, limit };
}
