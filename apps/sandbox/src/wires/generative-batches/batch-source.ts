import { z } from 'zod';
import type { BatchVendor } from '../../batches/batch-vendor.ts';
import type { Blob } from '../../batches/blob-store.ts';
import { firstLine, numberedLines } from '../../batches/json-lines.ts';
import { parseJson } from '../../schema/json.ts';
import { generativeError, invalidArgument } from '../google-style/google-error.ts';
import type { GenerativeFiles } from './generative-files.ts';

/** A request of a batch, which is checked when it runs. */
interface SourceLine {
  key: string | undefined;
  request: Record<string, unknown>;
  metadata: unknown;
}

/** Where the requests of a batch are. */
export interface BatchSource {
  isInline: boolean;
  /** The first line, which may contain directives. */
  text: string;
  /** Undefined for a line that is not a request. */
  lines(): AsyncIterable<SourceLine | undefined>;
}

/** The maximum size of requests in the body (Gemini's guide "Batch API"). */
const MAX_INLINE_BYTES = 20 * 1024 ** 2;

const RequestSchema = z.looseObject({
  key: z.string().optional(),
  request: z.record(z.string(), z.unknown()),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
const CreateSchema = z.looseObject({
  batch: z.looseObject({
    displayName: z.string(),
    inputConfig: z.union([
      z.strictObject({ fileName: z.string() }),
      z.strictObject({ requests: z.strictObject({ requests: z.array(RequestSchema).min(1) }) }),
    ]),
  }),
});

export function readCreation(body: unknown) {
  const read = CreateSchema.safeParse(body);
  if (!read.success) throw invalidArgument('Invalid batch: `displayName` and `inputConfig` are required.', 'batch');
  return read.data.batch;
}

type InputConfig = ReturnType<typeof readCreation>['inputConfig'];

/** @throws WireError 400 if there are too many requests, and 404 if the file does not exist. */
export async function openSource(
  { blobs }: BatchVendor,
  files: GenerativeFiles,
  config: InputConfig,
): Promise<BatchSource> {
  let blob: Blob;
  if ('fileName' in config) {
    const file = files.find(config.fileName);
    if (file === undefined) throw generativeError(404, 'Requested entity was not found.');
    ({ blob } = file);
  } else {
    const writer = blobs.openWriter();
    for (const request of config.requests.requests) await writer.write(request);
    blob = await writer.close();
    if (blob.bytes > MAX_INLINE_BYTES) throw invalidArgument('Request payload size exceeds the limit: 20971520 bytes.');
  }
  return {
    isInline: 'requests' in config,
    text: await firstLine(blobs.read(blob)),
    async *lines() {
      for await (const { text } of numberedLines(blobs.read(blob))) {
        const { success, data } = RequestSchema.safeParse(parseJson(text));
        yield success ? { key: data.key, request: data.request, metadata: data.metadata } : undefined;
      }
    },
  };
}
