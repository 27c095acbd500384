import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MediaJobSchema } from './media-job.ts';
import { WireSchema } from './wire.ts';

/** Journals that were written before there were other wires name none. */
const JournalWire = WireSchema.default('videos');

/** Everything that the stand-in vendor must still know after a restart. */
const JournalEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('accepted'), job: MediaJobSchema }),
  z.object({ type: z.literal('refused'), wire: JournalWire, task: z.string(), prompt: z.string() }),
  /** A word that hits the first calls of a job, or the first submissions of a task, has hit one. */
  z.object({ type: z.literal('fault'), wire: JournalWire, subject: z.string(), word: z.string() }),
  z.object({ type: z.literal('canceled'), wire: WireSchema, jobId: z.string(), at: z.number() }),
  z.object({ type: z.literal('removed'), wire: JournalWire, jobId: z.string(), canceled: z.boolean() }),
]);

/** See {@link JournalEventSchema}. */
export type JournalEvent = z.output<typeof JournalEventSchema>;

/** An append-only record of events. */
export interface Journal {
  /** What was in it when it was opened, in order. */
  readonly events: readonly JournalEvent[];
  /** Lines that could not be read, such as one that a killed process left half-written. */
  readonly unreadable: number;
  /** Writes an event; once this returns, the death of this process cannot lose it. */
  append(event: JournalEvent): void;
  close(): void;
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

function parseLine(line: string): JournalEvent | undefined {
  try {
    return JournalEventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

/**
 * Opens the journal of a data folder, made if it is not there. Without a folder, nothing outlives the process.
 * @throws the file system's error when the folder cannot be used.
 */
export function openJournal(folder: string | undefined): Journal {
  if (folder === undefined) return { events: [], unreadable: 0, append: () => undefined, close: () => undefined };
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'journal.jsonl');
  const text = readText(file);
  const lines = text.split('\n').filter((line) => line !== '');
  const events = lines.map(parseLine).filter((event) => event !== undefined);
  const descriptor = openSync(file, 'a');
  // A torn last line is closed off before the next is written, and skipped by every reader.
  let torn = text !== '' && !text.endsWith('\n');
  let closed = false;
  return {
    events,
    unreadable: lines.length - events.length,
    append(event) {
      const line = Buffer.from(`${torn ? '\n' : ''}${JSON.stringify(event)}\n`);
      torn = true;
      for (let at = 0; at < line.length;) at += writeSync(descriptor, line, at);
      torn = false;
    },
    close() {
      if (!closed) closeSync(descriptor);
      closed = true;
    },
  };
}
