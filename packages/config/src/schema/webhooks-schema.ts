import { z } from 'zod';
import { httpUrl, positive, positiveUpTo, section } from './field-types.ts';

/** Delays from Standard Webhooks: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, and 10 h, in total more than a day. */
const RETRY_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];

export const WebhooksSchema = section({
  allow: z
    .array(
      // A path is rejected, because it would suggest that only this path, and not the origin, is allowed.
      httpUrl().refine((url) => new URL(url).origin === url.replace(/\/$/, ''), 'must be an origin, without a path'),
    )
    .default([])
    .describe(
      'Origins (`https://host:port`) that webhooks can use even if they have private addresses or use http, in addition to `download.allow`.',
    ),
  timeout_ms: positive(15_000).describe(
    'The timeout of one attempt, from the name resolution to the end of the response.',
  ),
  lease_ms: positive(10_000).describe(
    "The time that a worker's lease on a delivery lasts after `timeout_ms`. If the worker stalls, another worker then sends the delivery.",
  ),
  poll_ms: positive(500).describe("The maximum interval between a worker's checks for due deliveries."),
  retry_ms: z
    .array(z.int().min(1))
    .max(31)
    .default(RETRY_MS)
    .describe('The delay after each failed attempt, with 15 % jitter. After the last retry, the delivery fails.'),
  rotation_ms: positive(24 * 3_600_000).describe(
    'The time for which Sluice also signs with the old secret after a rotation.',
  ),
  concurrency: positive(64).describe(
    'Maximum concurrent attempts of one worker process. A quarter is reserved for keys that have no attempt in flight.',
  ),
  per_host: positive(4).describe('Maximum concurrent attempts to one host, across all workers.'),
  per_owner: positive(16).describe('Maximum concurrent attempts for one key, across all workers and hosts.'),
  per_key: positiveUpTo(100).default(16).describe('Maximum webhooks that one key can register.'),
});
