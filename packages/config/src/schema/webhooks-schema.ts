import { z } from 'zod';
import { httpUrl, positive, positiveUpTo, section } from './field-types.ts';

/** Standard Webhooks delays: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, and another 10 h, more than a day in total. */
const RETRY_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];

export const WebhooksSchema = section({
  allow: z
    .array(
      // A path would suggest a narrower permission than the setting grants.
      httpUrl().refine((url) => new URL(url).origin === url.replace(/\/$/, ''), 'must be an origin, without a path'),
    )
    .default([])
    .describe(
      'Origins (`https://host:port`) allowed with private addresses or http, in addition to those of `download.allow`.',
    ),
  timeout_ms: positive(15_000).describe('One attempt, from name resolution to the end of the response.'),
  lease_ms: positive(10_000).describe("How long past `timeout_ms` a stalled worker's lease on a delivery lasts."),
  poll_ms: positive(500).describe("Longest interval between a worker's checks for due deliveries."),
  retry_ms: z
    .array(z.int().min(1))
    .max(31)
    .default(RETRY_MS)
    .describe('Delay after each failed attempt, with 15 % jitter; after the last one the delivery is abandoned.'),
  rotation_ms: positive(24 * 3_600_000).describe('How long a replaced secret keeps signing beside its successor.'),
  concurrency: positive(64).describe(
    'Concurrent attempts of one worker process; a quarter is reserved for keys with none in flight.',
  ),
  per_host: positive(4).describe('Concurrent attempts at one host, over all workers.'),
  per_owner: positive(16).describe('Concurrent attempts for one key, over all workers and hosts.'),
  per_key: positiveUpTo(100).default(16).describe('Webhooks that one key may register.'),
});
