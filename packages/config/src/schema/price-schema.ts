import { z } from 'zod';

/** Far above any vendor's price. This limit keeps sums exact. */
const MAX_USD = 10_000;
const MAX_TIERS = 20;
const usd = () => z.number().min(0).max(MAX_USD).optional();

const tokenPrices = () => ({
  input: usd().describe('US dollars per million input tokens.'),
  cached_input: usd().describe(
    'US dollars per million input tokens read from a cache. If omitted, the price is `input`.',
  ),
  cache_write: usd().describe(
    'US dollars per million input tokens written to a cache. If omitted, the price is `input`.',
  ),
  cache_write_1h: usd().describe(
    'US dollars per million input tokens written to a cache for an hour. If omitted, the price is `cache_write`.',
  ),
  audio_input: usd().describe('US dollars per million audio input tokens. If omitted, the price is `input`.'),
  image_input: usd().describe('US dollars per million image input tokens. If omitted, the price is `input`.'),
  output: usd().describe('US dollars per million output tokens, including reasoning.'),
  audio_output: usd().describe('US dollars per million audio output tokens. If omitted, the price is `output`.'),
  image_output: usd().describe('US dollars per million image output tokens. If omitted, the price is `output`.'),
});

const inTier = Object.fromEntries(
  Object.entries(tokenPrices()).map(([name]) => [
    name,
    usd().describe(`\`${name}\` of a request in this tier. If omitted, it is the price above.`),
  ]),
  // The cast is safe because the names are the same.
) as ReturnType<typeof tokenPrices>;

const TierSchema = z.strictObject({
  above_input_tokens: z
    .int()
    .positive()
    .describe('The prices of this tier apply to all tokens of a request with more input tokens than this.'),
  ...inTier,
});

const ImagePriceSchema = z.strictObject({
  size: z.string().min(1).optional().describe('The size of the images, e.g. `1024x1024`. If omitted, any size.'),
  quality: z.string().min(1).optional().describe('The quality of the images, e.g. `high`. If omitted, any quality.'),
  usd: z
    .number()
    .min(0)
    .max(MAX_USD)
    .describe('US dollars per image. The first entry that matches takes precedence over `image`.'),
});

const VideoPriceSchema = z.strictObject({
  resolution: z
    .string()
    .min(1)
    .optional()
    .describe('The resolution of the video, e.g. `1080p`. If omitted, any resolution.'),
  audio: z.boolean().optional().describe('Whether the video has audio. If omitted, with and without audio.'),
  usd: z
    .number()
    .min(0)
    .max(MAX_USD)
    .describe('US dollars per second of video. The first entry that matches takes precedence over `video_second`.'),
});

export const PriceSchema = z.strictObject({
  ...tokenPrices(),
  tiers: z
    .array(TierSchema)
    .max(MAX_TIERS)
    .refine(
      (tiers) =>
        tiers.every((tier, index) => tier.above_input_tokens > (tiers[index - 1]?.above_input_tokens ?? -Infinity)),
      'must be in ascending order of `above_input_tokens`',
    )
    .optional(),
  service_tiers: z
    .record(z.string().min(1), z.number().min(0).max(100))
    .optional()
    .describe(
      'Factors of the token prices for the service tiers that the vendor reports, e.g. `flex: 0.5`. The factor `batch` applies to batches that the vendor runs. Other tiers have the factor 1.',
    ),
  search: usd().describe('US dollars per web search that the vendor runs.'),
  request: usd().describe('US dollars per successful request or task, in addition to the other prices.'),
  image: usd().describe('US dollars per image.'),
  image_prices: z.array(ImagePriceSchema).optional(),
  video_second: usd().describe('US dollars per second of video.'),
  video_second_prices: z.array(VideoPriceSchema).optional(),
  characters: usd().describe('US dollars per million characters of speech.'),
  audio_second: usd().describe('US dollars per second of transcribed audio, if the upstream reports its length.'),
});

export type ModelPrice = z.output<typeof PriceSchema>;
