import type { ModelList } from '@sluice/api/responses';
import { formatCost, formatCount } from '../../lib/format.ts';

export interface PriceLine {
  title: string;
  /** With its unit, e.g. `$1.25 per million`. */
  text: string;
}

type Price = NonNullable<ModelList['data'][number]['routes'][number]['price']>;

const MILLION = 'per million';
/** Fields of `models[].price` in the configuration, with the words of a price list. */
const FIELDS: Readonly<Record<string, { title: string; unit: string }>> = {
  input: { title: 'Input tokens', unit: MILLION },
  cached_input: { title: 'Cached input tokens', unit: MILLION },
  cache_write: { title: 'Cache writes', unit: MILLION },
  cache_write_1h: { title: 'Cache writes for 1 hour', unit: MILLION },
  audio_input: { title: 'Audio input tokens', unit: MILLION },
  image_input: { title: 'Image input tokens', unit: MILLION },
  output: { title: 'Output tokens', unit: MILLION },
  audio_output: { title: 'Audio output tokens', unit: MILLION },
  image_output: { title: 'Image output tokens', unit: MILLION },
  image: { title: 'Image', unit: 'each' },
  video_second: { title: 'Video', unit: 'per second' },
  characters: { title: 'Characters of speech', unit: MILLION },
  audio_second: { title: 'Transcribed audio', unit: 'per second' },
  search: { title: 'Web search', unit: 'each' },
  request: { title: 'Request', unit: 'each' },
};

/** Returns all parts of a price, those of all requests first. */
export function priceLines(price: Price): PriceLine[] {
  return [
    ...rateLines(price),
    ...listOf(price['image_prices']).map((entry) => mediaLine('Image', 'each', entry)),
    ...listOf(price['video_second_prices']).map((entry) => mediaLine('Video', 'per second', entry)),
    ...listOf(price['tiers']).flatMap(tierLines),
    ...Object.entries(recordOf(price['service_tiers'])).map(([tier, factor]) => ({
      title: `Service tier ${tier}`,
      text: `${String(factor)} × the prices of tokens`,
    })),
  ];
}

/** Returns the main parts of a price in a few words, e.g. `$1.25 in · $10.00 out`. */
export function priceSummary(price: Price): string {
  const amount = (field: string): string | undefined => {
    const usd = price[field];
    return typeof usd === 'number' && usd > 0 ? formatCost(usd) : undefined;
  };
  const media = [...listOf(price['image_prices']), ...listOf(price['video_second_prices'])];
  const parts = [
    [amount('input'), 'in'],
    [amount('output'), 'out'],
    [amount('image'), 'an image'],
    [amount('video_second'), 'a second'],
    [amount('characters'), 'per million characters'],
    [amount('audio_second'), 'a second'],
  ].flatMap(([usd, unit]) => (usd === undefined ? [] : [`${usd} ${unit}`]));
  if (parts.length > 0) return parts.join(' · ');
  const [first] = media.flatMap(({ usd }) => (typeof usd === 'number' ? [usd] : [])).toSorted((a, b) => a - b);

  if (first !== undefined)
    return `from ${formatCost(first)} ${price['image_prices'] === undefined ? 'a second' : 'an image'}`;
  const [request, search] = [amount('request'), amount('search')];
  if (request !== undefined) return `${request} a request`;
  return search === undefined ? 'free' : `${search} a search`;
}

function rateLines(price: Price, condition = ''): PriceLine[] {
  return Object.entries(FIELDS).flatMap(([field, { title, unit }]) => {
    const usd = price[field];
    return typeof usd === 'number' ? [{ title: `${title}${condition}`, text: `${formatCost(usd)} ${unit}` }] : [];
  });
}

function tierLines({ above_input_tokens: above, ...tier }: Record<string, unknown>): PriceLine[] {
  return rateLines(tier, `, above ${formatCount(Number(above))}`);
}

function mediaLine(title: string, unit: string, { usd, ...traits }: Record<string, unknown>): PriceLine {
  const { audio, ...sizes } = traits;
  const sound = audio === undefined ? [] : [audio === true ? 'with audio' : 'without audio'];
  const parts = [title, ...Object.values(sizes).map(String), ...sound];
  return { title: parts.join(', '), text: `${formatCost(Number(usd))} ${unit}` };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(recordOf) : [];
}

function recordOf(value: unknown): Record<string, unknown> {
  // The cast is safe because the value is an object.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
