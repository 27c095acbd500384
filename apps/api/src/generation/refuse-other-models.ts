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
 * A vendor would serve additional models in a relayed body, although the key's model list and budget are checked for
 * the requested model only. It may also read another member than the checked one.
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
