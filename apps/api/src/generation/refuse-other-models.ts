import {
  isRecord,
  refuseAmbiguousMembers,
  refuseOtherModelFields,
  refuseToolModels,
  type TextRequest,
} from '@sluice/protocols';
import type { ApiKey } from '../auth/api-keys.ts';
import { hasUsageBounds, isBound } from '../auth/is-bound.ts';

/**
 * The key's model list and budget are checked for the requested model only. A relayed body might contain another model
 * field that the vendor reads. Those fields are rejected.
 * @throws GatewayError `unsupported_parameter`
 */
export function refuseOtherModels(apiKey: ApiKey, request: TextRequest): void {
  if (hasUsageBounds(apiKey)) refuseAmbiguousMembers(request);
  if (!isBound(apiKey)) return;
  refuseOtherModelFields((name) => request.member(name));
  refuseToolModels(request.member('tools'), 'tools');
  const items = request.member('input');
  if (!Array.isArray(items)) return;
  for (const [index, item] of items.entries()) {
    if (isRecord(item)) refuseToolModels(item['tools'], `input[${index}][tools]`);
  }
}
