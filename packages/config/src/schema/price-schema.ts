import { z } from 'zod';

// Far above any vendor's price; keeps sums exact.
const MAX_USD = 10_000;
const usd = () => z.number().min(0).max(MAX_USD).optional();

/** Prices in US dollars. An absent one is zero. */
export const PriceSchema = z.strictObject({
  input: usd().describe('US dollars for a million input tokens.'),
  cached_input: usd().describe('US dollars for a million input tokens read from a cache. Absent: as `input`.'),
  cache_write: usd().describe('US dollars for a million input tokens written to a cache. Absent: as `input`.'),
  output: usd().describe('US dollars for a million output tokens, reasoning among them.'),
  request: usd().describe(
    'US dollars for each request that an upstream has served, and each task that succeeds, besides all else.',
  ),
  image: usd().describe('US dollars for an image.'),
  video_second: usd().describe('US dollars for a second of video.'),
  characters: usd().describe('US dollars for a million characters that are spoken.'),
});

export type ModelPrice = z.output<typeof PriceSchema>;
