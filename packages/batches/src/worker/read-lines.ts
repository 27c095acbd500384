import { type BatchLine, GatewayError } from '@sluice/canonical';
import { ContentMissingError, type FilePart } from '@sluice/files';
import type { Segment } from '../input/segments.ts';
import { type RawLine, splitLines } from '../input/split-lines.ts';
import type { StoredBatch } from '../store/batch-record.ts';
import type { WorkerContext } from './worker-context.ts';

/**
 * Reads the lines of a segment, or of the whole input. @throws GatewayError `file_not_found`
 * @param input the content of the input, if it was pinned
 */
export async function* readLines(
  { files, settings }: Pick<WorkerContext, 'files' | 'settings'>,
  { inputFileId }: Pick<StoredBatch, 'inputFileId'>,
  segment?: Segment,
  input?: readonly FilePart[],
): AsyncGenerator<RawLine> {
  const range = segment && { start: segment.start, end: segment.end - 1 };
  const opened = input ? files.openPinned(input, range) : files.open(inputFileId, range);
  const source = (await opened) as AsyncIterable<Uint8Array>; // It yields bytes.
  yield* splitLines(source, settings.maxLineBytes, { first: segment?.first ?? 1, start: segment?.start ?? 0 });
}

/**
 * Whether the input can no longer be read. Content that the store has lost can return (e.g. with a mount), so the batch
 * waits for it until it closes.
 */
export function isInputGone(error: unknown, isClosing: boolean): boolean {
  if (error instanceof ContentMissingError) return isClosing;
  return error instanceof GatewayError && error.code === 'file_not_found';
}

/** @throws Error if the input file is not the one that was validated */
export function parseLine(bytes: Buffer | undefined): BatchLine {
  if (!bytes) throw new Error('a line of a valid input is too long');
  return JSON.parse(bytes.toString()) as BatchLine; // The cast is safe because the line was validated.
}
