import { z } from 'zod';

/** Far above any vendor's price. This limit keeps sums exact. */
const MAX_USD = 10_000;
const usd = () => z.number().min(0).max(MAX_USD).optional();

export const PriceSchema = z.strictObject({
  input: usd().describe('US dollars per million input tokens.'),
  cached_input: usd().describe(
    'US dollars per million input tokens read from a cache. If omitted, the price is `input`.',
  ),
  cache_write: usd().describe(
    'US dollars per million input tokens written to a cache. If omitted, the price is `input`.',
  ),
  output: usd().describe('US dollars per million output tokens, including reasoning.'),
  request: usd().describe('US dollars per successful request or task, in addition to the other prices.'),
  image: usd().describe('US dollars per image.'),
  video_second: usd().describe('US dollars per second of video.'),
  characters: usd().describe('US dollars per million characters of speech.'),
});

export type ModelPrice = z.output<typeof PriceSchema>;
