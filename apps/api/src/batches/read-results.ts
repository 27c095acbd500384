import { splitLines } from '@sluice/batches';
import { type Batch, type BatchLineResult, batchResultId, GatewayError, lineOfBatchResult } from '@sluice/canonical';
import type { FileStore } from '@sluice/files';

type Files = Pick<FileStore, 'find' | 'open'>;

/** Results of a batch, in the order of its input. */
export interface BatchResults {
  /** The size of the files with the results. */
  bytes: number;
  /** Reads the files. Can be called once. */
  read(): AsyncGenerator<BatchLineResult>;
}

/** Opens the output and the error file of a batch. @throws GatewayError `file_not_found` */
export async function openResults(files: Files, owner: string, batch: Batch): Promise<BatchResults> {
  const ids = [batch.outputFileId, batch.errorFileId].filter((id) => id !== undefined);
  const found = await Promise.all(ids.map((id) => files.find(owner, id))).catch((error: unknown) => {
    if (!isMissingFile(error)) throw error;
    throw new GatewayError('file_not_found', 'The results of the batch were deleted, or they have expired.');
  });
  return {
    bytes: found.reduce((sum, { bytes }) => sum + bytes, 0),
    read: () => merge(found.map(({ id }) => readResults(files, id))),
  };
}

/**
 * Returns a result for each line of a batch that failed: the error of the line, or of the batch.
 * @throws GatewayError `file_not_found` if the client has deleted the input
 */
export async function failedResults(
  files: Files,
  owner: string,
  batch: Batch,
  maxLineBytes: number,
): Promise<BatchResults> {
  const { id, inputFileId, errors } = batch;
  const { bytes } = await files.find(owner, inputFileId);
  const messages = new Map(errors.map(({ line, message }) => [line, message]));
  const why = `The batch failed, so the request was not sent. ${errors[0]?.message ?? 'Its input is invalid.'}`;
  const code = errors[0]?.code === 'submission_unknown' ? 'outcome_unknown' : 'request_failed';
  return {
    bytes,
    async *read() {
      for await (const line of splitLines(await files.open(inputFileId), maxLineBytes)) {
        const { number } = line;
        const error = { code, message: messages.get(number) ?? why } as const;
        yield { id: batchResultId(id, number), custom_id: customIdOf(line.bytes), response: null, error };
      }
    },
  };
}

/** Returns an empty text if the line is invalid. */
function customIdOf(bytes: Buffer | undefined): string {
  try {
    const line: unknown = JSON.parse(bytes?.toString() ?? '');
    return typeof line === 'object' && line !== null && 'custom_id' in line ? String(line.custom_id) : '';
  } catch {
    return '';
  }
}

export function isMissingFile(error: unknown): boolean {
  return error instanceof GatewayError && error.code === 'file_not_found';
}

/** Reads a file whose lines are JSON, which the gateway has written. */
export async function* readJsonLines(files: Files, id: string): AsyncGenerator {
  for await (const { bytes } of splitLines(await files.open(id), Infinity)) {
    if (bytes && bytes.length > 0) yield JSON.parse(bytes.toString());
  }
}

async function* readResults(files: Files, id: string): AsyncGenerator<BatchLineResult> {
  // The cast is safe because workers write the file.
  for await (const result of readJsonLines(files, id)) yield result as BatchLineResult;
}

/** Merges sources that are in the order of the input. */
async function* merge(sources: readonly AsyncGenerator<BatchLineResult>[]): AsyncGenerator<BatchLineResult> {
  try {
    const heads = await Promise.all(sources.map(async (source) => ({ source, next: await source.next() })));
    for (;;) {
      const open = heads.filter(({ next }) => next.done !== true);
      const [first] = open.toSorted((one, other) => lineOf(one.next) - lineOf(other.next));
      if (!first || first.next.done === true) return;
      yield first.next.value;
      first.next = await first.source.next();
    }
  } finally {
    await Promise.all(sources.map((source) => source.return(undefined)));
  }
}

function lineOf({ done, value }: IteratorResult<BatchLineResult>): number {
  return done === true ? Infinity : (lineOfBatchResult(value.id) ?? 0);
}
