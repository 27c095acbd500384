import { GatewayError } from '@sluice/canonical';
import { isRecord, type TextRequest } from '@sluice/protocols';
import type { ApiKey } from '../auth/api-keys.ts';
import { isBound } from '../auth/is-bound.ts';

/** Top-level members by which vendors and other gateways are told of models to fall back to. */
const MEMBERS = ['models', 'fallbacks', 'fallback_models', 'fallback_model'] as const;

/**
 * Refuses models that a body names beside the one that is asked for: a vendor would serve them, and a key that is bound
 * to some models, or to a budget that knows the price of one, must not have them. For bodies that may be relayed; what
 * is translated names one model.
 * @throws GatewayError `unsupported_parameter`
 */
export function refuseOtherModels(apiKey: ApiKey, request: TextRequest): void {
  if (!isBound(apiKey)) return;
  for (const name of MEMBERS) {
    if (isPresent(request.member(name))) throw refusal(name);
  }
  refuseTools(request.member('tools'), 'tools');
  const items = request.member('input');
  for (const [index, item] of listOf(items).entries()) {
    if (isRecord(item)) refuseTools(item['tools'], `input[${index}][tools]`);
  }
}

/** A tool may hold others. */
function refuseTools(tools: unknown, at: string): void {
  for (const [index, tool] of listOf(tools).entries()) {
    if (!isRecord(tool)) continue;
    if (isPresent(tool['model'])) throw refusal(`${at}[${index}][model]`);
    refuseTools(tool['tools'], `${at}[${index}][tools]`);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isPresent(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function refusal(param: string): GatewayError {
  return new GatewayError(
    'unsupported_parameter',
    `${param} names another model than the one that is asked for, which this API key's models or budget forbid.`,
    { param },
  );
}
