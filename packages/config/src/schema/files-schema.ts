import { z } from 'zod';
import { positive, positiveUpTo, section, timerMs } from './field-types.ts';

const MIB = 1024 * 1024;
const DAY_MS = 24 * 3_600_000;

export const FilesSchema = section({
  max_bytes: positive(512 * MIB).describe('The maximum size of a file that a client uploads in one request.'),
  max_upload_bytes: positive(8_192 * MIB).describe('The maximum size of a file that a client uploads in parts.'),
  media_types: z
    .array(
      z
        .string()
        .regex(/^(?:\*\/\*|[\w.+-]+\/(?:\*|[\w.+-]+))$/, 'must be a media type, such as `image/png` or `image/*`'),
    )
    .min(1)
    .default(['*/*'])
    .describe('The media types that clients can upload, such as `application/pdf` or `image/*`.'),
  retention_ms: positive(30 * DAY_MS).describe(
    'The time for which Sluice keeps a file. A client can choose a shorter time.',
  ),
  key_bytes: positive(20_480 * MIB).describe(
    'The maximum size of all files of one key. Parts of unfinished uploads count.',
  ),
  vendor_upload_bytes: positive(8 * MIB).describe(
    'The size from which Sluice uploads a file to an upstream that stores files, instead of sending the content in each request.',
  ),
  per_key: positive(10_000).describe('Maximum files of one key. Unfinished uploads count.'),
});

export const VideoGroupsSchema = section({
  max_videos: positiveUpTo(1_000).default(1_000).describe('Maximum videos of one group.'),
  per_key: positive(100).describe('Maximum groups of one key that have not ended.'),
  poll_ms: timerMs(1_000).describe(
    'The interval between checks of a group. Sluice checks a group less often if more than 100 of its videos are open.',
  ),
});

/** Batches, whose inputs and outputs are files. */
export const BatchesSchema = section({
  max_in_flight: positiveUpTo(1_000)
    .default(64)
    .describe(
      'The maximum number of lines that one worker process sends to one upstream at the same time. Sluice starts with 4, and adapts the number to the upstream.',
    ),
  per_key: positive(100).describe('Maximum batches of one key that have not ended.'),
  max_lines: positiveUpTo(1_000_000).default(1_000_000).describe('Maximum lines of an input file.'),
  max_line_bytes: positiveUpTo(32 * MIB)
    .default(16 * MIB)
    .describe('The maximum size of a line of an input file.'),
  max_input_bytes: positiveUpTo(4_096 * MIB)
    .default(1_024 * MIB)
    .describe('The maximum size of an input file.'),
  max_window_ms: positive(7 * DAY_MS).describe('The maximum time until a batch expires. A client can choose less.'),
  retention_ms: positive(30 * DAY_MS).describe('The time for which Sluice keeps the record of a batch that has ended.'),
  lease_ms: timerMs(30_000).describe(
    "The time after which another worker continues a stalled worker's part of a batch.",
  ),
  poll_ms: timerMs(500).describe("The interval between a worker's checks for batches."),
});
