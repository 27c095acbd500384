import type { GenerationRequest, LossReport, TextTarget } from '@sluice/canonical';
import { someMark } from '../../losses/report-block-losses.ts';
import { encodeContents } from './encode-contents.ts';
import { encodeGenerationConfig } from './encode-generation-config.ts';
import { encodeTools } from './encode-tools.ts';
import { filledRecord } from '../wire/proto-json.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Encodes only known keys, because the API rejects all others. The path contains the model and selects streaming.
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
    serviceTier,
    systemInstruction,
    safetySettings: safety && safety.length > 0 ? safety : undefined,
    ...encodeTools(request, target, reportOnce),
    generationConfig,
  };
}

/** Reports each loss once, instead of once per turn of a long history. */
function once(report: LossReport): LossReport {
  const reported = new Set<string>();
  return (loss) => {
    const key = `${loss.how} ${loss.field}`;
    if (reported.has(key)) return;
    reported.add(key);
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

/** Reports fields that have no equivalent. */
function reportHints(request: GenerationRequest, report: LossReport): void {
  const { logitBias, verbosity, user, metadata, cache, messages, tools } = request;
  const hasCacheMarks = cache?.auto !== undefined || tools.some((tool) => tool.cache) || someMark(messages, () => true);
  const hints = {
    logit_bias: filledRecord(logitBias),
    verbosity,
    user,
    metadata: filledRecord(metadata),
    prompt_cache_key: cache?.key,
    cache_control: hasCacheMarks || undefined,
    name: messages.find(({ name }) => name !== undefined),
  };
  for (const [field, value] of Object.entries(hints)) if (value !== undefined) report({ field, how: 'dropped' });
}
