import type { GenerationRequest, LossReport, TextTarget } from '@sluice/canonical';
import { encodeContents } from './encode-contents.ts';
import { encodeGenerationConfig } from './encode-generation-config.ts';
import { encodeTools } from './encode-tools.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Writes a `generateContent` request with known keys only, since the API rejects others. The path holds the model and
 * selects streaming.
 * @throws GatewayError `unsupported_parameter` for settings that change the meaning and have no equivalent
 */
export function encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): JsonObject {
  const { safety } = request;
  const reportOnce = once(report);
  const { systemInstruction, contents } = encodeContents(request, target, reportOnce);
  const generationConfig = encodeGenerationConfig(request, target, reportOnce);
  const serviceTier = encodeTier(request.serviceTier, reportOnce);
  reportHints(request, reportOnce);
  return {
    contents,
    ...(serviceTier !== undefined && { serviceTier }),
    ...(systemInstruction && { systemInstruction }),
    ...(safety && safety.length > 0 && { safetySettings: safety }),
    ...encodeTools(request, target, reportOnce),
    ...(generationConfig && { generationConfig }),
  };
}

/** A long history would report the same loss with every turn. */
function once(report: LossReport): LossReport {
  const told = new Set<string>();
  return (loss) => {
    const key = `${loss.how} ${loss.field}`;
    if (told.has(key)) return;
    told.add(key);
    report(loss);
  };
}

function encodeTier(tier: string | undefined, report: LossReport): string | undefined {
  switch (tier) {
    case undefined:
    case 'auto':
      return undefined;
    case 'flex':
      return 'flex';
    case 'priority':
    case 'fast':
      return 'priority';
    case 'default':
    case 'standard':
    case 'standard_only':
      return 'standard';
    default:
      report({ field: 'service_tier', how: 'dropped' });
      return undefined;
  }
}

/** Reports fields without an equivalent. */
function reportHints(request: GenerationRequest, report: LossReport): void {
  const { logitBias, verbosity, user, metadata, cache, messages, tools } = request;
  if (logitBias && Object.keys(logitBias).length > 0) report({ field: 'logit_bias', how: 'dropped' });
  if (verbosity !== undefined) report({ field: 'verbosity', how: 'dropped' });
  if (user !== undefined) report({ field: 'user', how: 'dropped' });
  if (metadata && Object.keys(metadata).length > 0) report({ field: 'metadata', how: 'dropped' });
  if (cache?.key !== undefined) report({ field: 'prompt_cache_key', how: 'dropped' });
  const isMarked =
    cache?.auto !== undefined ||
    tools.some((tool) => tool.cache) ||
    messages.some(({ content }) => content.some((block) => 'cache' in block && block.cache));
  if (isMarked) report({ field: 'cache_control', how: 'dropped' });
  if (messages.some(({ name }) => name !== undefined)) report({ field: 'name', how: 'dropped' });
}
