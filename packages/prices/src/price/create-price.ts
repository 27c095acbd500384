import type { MediaRate, Rates, TokenRates } from '@sluice/vendors';
import { CostLines } from './cost-lines.ts';
import { billedAudio, billedSeconds, imageRate, maxSeconds, videoRate } from './media-rates.ts';
import { safeCount, toNanos } from './nanos.ts';
import type { Cost, Price, PricedUse, PriceSource } from './price.ts';
import { addTokens, ratesFor } from './token-lines.ts';

/** The price of a model with these rates. */
export function createPrice(rates: Rates, source: PriceSource): Price {
  return {
    source,
    rates,
    costOf: (use) => costOf(rates, use, ratesFor(rates, use.usage?.inputTokens ?? 0), factorOf(rates, use)),
    maxNanosOf(use) {
      const tokens = ratesFor(rates, use.usage?.inputTokens ?? 0);
      return costOf(rates, use, tokens && maxRates(tokens), Math.max(1, factorOf(rates, use)))?.nanos ?? 0;
    },
    mediaRatesOf(use) {
      const unit = unitRateOf(rates, use);
      if (!unit) return undefined;
      const taskNanos = toNanos(rates.request ?? 0);
      const unitNanos = toNanos(unit.usd);
      const units = use.images ? safeCount(use.images.count) : maxSeconds(use.video?.seconds ?? 0);
      return { taskNanos, unitNanos, maxNanos: safeCount(taskNanos + units * unitNanos) };
    },
  };
}

type MediaUse = Pick<PricedUse, 'images' | 'video'>;

function unitRateOf(rates: Rates, { images, video }: MediaUse): MediaRate | undefined {
  return images ? imageRate(rates, images) : video && videoRate(rates, video);
}

function factorOf({ serviceTiers }: Rates, { serviceTier, usage }: PricedUse): number {
  return serviceTiers?.[serviceTier ?? usage?.serviceTier ?? ''] ?? 1;
}

function costOf(rates: Rates, use: PricedUse, tokens: TokenRates | undefined, factor: number): Cost | undefined {
  if (!covers(rates, use, tokens)) return undefined;
  const lines = new CostLines();
  if (tokens && use.usage) addTokens(lines, tokens, use.usage, factor);
  lines.addUnits('audio_seconds', billedAudio(rates, use.usage?.audioSeconds), rates.audioSecond ?? 0);
  lines.addMillion('characters', safeCount(use.characters), rates.characters ?? 0);
  lines.addUnits('searches', safeCount(use.usage?.searches), rates.search ?? 0);
  addMedia(lines, rates, use);
  lines.addUnits('requests', 1, rates.request ?? 0);
  return lines.cost();
}

function covers(rates: Rates, { usage, characters, images, video }: PricedUse, tokens?: TokenRates): boolean {
  if ((images ?? video) && !unitRateOf(rates, { images, video })) return false;
  if (characters) {
    // A model that is billed by characters has no price of tokens, so their estimate does not matter.
    if (rates.characters !== undefined) return true;
    // An estimate knows only the input of speech, and its output costs most.
    if (!usage?.outputTokens) return false;
  }
  // A model that is billed by time has no price for a transcription of unknown length.
  if (usage) return tokens !== undefined || (rates.audioSecond !== undefined && usage.audioSeconds !== undefined);
  return true;
}

/** Input at the highest rate of text, and output at the highest rate. Estimates do not know what a vendor caches. */
function maxRates(tokens: TokenRates): TokenRates {
  const { input, cachedInput, cacheWrite, cacheWrite1h = 0, output, audioOutput = 0, imageOutput = 0 } = tokens;
  return {
    ...tokens,
    input: Math.max(input, cachedInput, cacheWrite, cacheWrite1h),
    output: Math.max(output, audioOutput, imageOutput),
  };
}

function addMedia(lines: CostLines, rates: Rates, use: MediaUse): void {
  const unit = unitRateOf(rates, use);
  if (!unit) return;
  if (use.images) lines.addExact('images', safeCount(use.images.count), toNanos(unit.usd));
  else lines.addExact('video_seconds', billedSeconds(use.video?.seconds ?? 0), toNanos(unit.usd));
}
