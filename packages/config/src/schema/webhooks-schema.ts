import { z } from 'zod';

const ms = (value: number) => z.int().min(1).default(value);

/** Delays of Standard Webhooks: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, and 10 h more, which is over a day. */
const RETRY_MS = [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000];

/** Webhooks: how clients' servers are notified of the end of tasks. */
export const WebhooksSchema = z
  .strictObject({
    allow: z
      .array(
        z
          .url({ protocol: /^https?$/ })
          // A path would look like a narrower permission than it is.
          .refine((url) => new URL(url).origin === url.replace(/\/$/, ''), 'must be an origin, without a path'),
      )
      .default([])
      .describe(
        'Origins (`https://host:port`) allowed with private addresses or http, in addition to those of `download.allow`.',
      ),
    timeout_ms: ms(15_000).describe('One attempt, from name resolution to the end of the response.'),
    lease_ms: ms(10_000).describe("How long past `timeout_ms` a stalled worker's lease on a delivery lasts."),
    poll_ms: ms(500).describe("Longest interval between a worker's checks for due deliveries."),
    retry_ms: z
      .array(z.int().min(1))
      .max(31)
      .default(RETRY_MS)
      .describe('Delay after each failed attempt, with 15 % jitter; after the last one the delivery is abandoned.'),
    rotation_ms: ms(24 * 3_600_000).describe('How long a replaced secret keeps signing beside its successor.'),
    concurrency: z
      .int()
      .min(1)
      .default(64)
      .describe('Concurrent attempts of one worker process; a quarter is reserved for keys with none in flight.'),
    per_host: z.int().min(1).default(4).describe('Concurrent attempts at one host, over all workers.'),
    per_owner: z.int().min(1).default(16).describe('Concurrent attempts for one key, over all workers and hosts.'),
    per_key: z.int().min(1).max(100).default(16).describe('Webhooks that one key may register.'),
  })
  .prefault({});
