import { isRecord, otherModelError, type TextRequest } from '@sluice/protocols';
import type { ApiKey } from '../auth/api-keys.ts';
import { isBound } from '../auth/is-bound.ts';

/** Vendors and other gateways accept fallback models in these top-level members. */
const MEMBERS = ['models', 'fallbacks', 'fallback_models', 'fallback_model'] as const;

/**
 * A vendor would serve additional models in a relayed body, although the key's model list and budget are checked for
 * the requested model only.
 * @throws GatewayError `unsupported_parameter`
 */
export function refuseOtherModels(apiKey: ApiKey, request: TextRequest): void {
  if (!isBound(apiKey)) return;
  for (const name of MEMBERS) {
    if (isPresent(request.member(name))) throw otherModelError(name);
  }
  refuseTools(request.member('tools'), 'tools');
  const items = request.member('input');
  for (const [index, item] of listOf(items).entries()) {
    if (isRecord(item)) refuseTools(item['tools'], `input[${index}][tools]`);
  }
}

/** Tools may be nested. */
function refuseTools(tools: unknown, at: string): void {
  for (const [index, tool] of listOf(tools).entries()) {
    if (!isRecord(tool)) continue;
    if (isPresent(tool['model'])) throw otherModelError(`${at}[${index}][model]`);
    refuseTools(tool['tools'], `${at}[${index}][tools]`);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}
