import type { Usage } from '@sluice/canonical';
import type { Rates, TokenRates } from '@sluice/vendors';
import type { CostLines } from './cost-lines.ts';
import { safeCount } from './nanos.ts';

/** The rates for a request, by its input tokens. */
export function ratesFor({ tokens, tiers }: Rates, inputTokens: number): TokenRates | undefined {
  return tiers?.findLast(({ above }) => inputTokens > above)?.tokens ?? tokens;
}

/**
 * Divides usage by rate. `inputTokens` and `outputTokens` include all other tokens. If a vendor reports a part larger
 * than the total, only the total is counted. Audio and images are counted after the cached tokens, because cached tokens
 * can be audio or images too.
 * @param factor multiplies the rates
 */
export function addTokens(lines: CostLines, rates: TokenRates, usage: Usage, factor: number): void {
  const { cacheWrite1h, audioInput, imageInput, audioOutput, imageOutput } = rates;
  let input = safeCount(usage.inputTokens);
  const cached = Math.min(safeCount(usage.cachedTokens), input);
  input -= cached;
  const written = Math.min(safeCount(usage.cacheWriteTokens), input);
  input -= written;
  const hour = partOf(written, usage.cacheWrite1hTokens, cacheWrite1h);
  const audio = partOf(input, usage.audioInputTokens, audioInput);
  input -= audio;
  const images = partOf(input, usage.imageInputTokens, imageInput);
  input -= images;
  let output = safeCount(usage.outputTokens);
  const speech = partOf(output, usage.audioOutputTokens, audioOutput);
  output -= speech;
  const drawn = partOf(output, usage.imageOutputTokens, imageOutput);
  output -= drawn;
  lines.addMillion('input_tokens', input, rates.input * factor);
  lines.addMillion('cached_input_tokens', cached, rates.cachedInput * factor);
  lines.addMillion('cache_write_tokens', written - hour, rates.cacheWrite * factor);
  lines.addMillion('cache_write_1h_tokens', hour, (cacheWrite1h ?? 0) * factor);
  lines.addMillion('audio_input_tokens', audio, (audioInput ?? 0) * factor);
  lines.addMillion('image_input_tokens', images, (imageInput ?? 0) * factor);
  lines.addMillion('output_tokens', output, rates.output * factor);
  lines.addMillion('audio_output_tokens', speech, (audioOutput ?? 0) * factor);
  lines.addMillion('image_output_tokens', drawn, (imageOutput ?? 0) * factor);
}

/** Tokens without a rate of their own are not a part. */
function partOf(total: number, count: number | undefined, rate: number | undefined): number {
  return rate === undefined ? 0 : Math.min(safeCount(count), total);
}
