import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../schema/json.ts';
import { MediaJobSchema } from './media-job.ts';

/** Journals from before there were other wires omit the field. */
const JournalWire = z.string().default('videos');

const JournalEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('accepted'), job: MediaJobSchema }),
  z.object({ type: z.literal('refused'), wire: JournalWire, task: z.string(), prompt: z.string() }),
  /** A directive that affects the first calls of a subject has fired once. */
  z.object({ type: z.literal('fault'), wire: JournalWire, subject: z.string(), word: z.string() }),
  z.object({ type: z.literal('canceled'), wire: z.string(), jobId: z.string(), at: z.number() }),
  z.object({ type: z.literal('removed'), wire: JournalWire, jobId: z.string(), canceled: z.boolean() }),
]);

export type JournalEvent = z.output<typeof JournalEventSchema>;

export interface Journal {
  readonly events: readonly JournalEvent[];
  /** Lines that could not be parsed, such as one cut off by a killed process. */
  readonly unreadable: number;
  /** Synchronous: when it returns, a crash of this process cannot lose the event. */
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

/**
 * Creates the folder if needed. Without a folder, nothing is persisted.
 * @throws the file system's error if the folder cannot be used.
 */
export function openJournal(folder: string | undefined): Journal {
  if (folder === undefined) return { events: [], unreadable: 0, append: () => undefined, close: () => undefined };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'journal.jsonl');
  const text = readText(file);
  const lines = text.split('\n').filter((line) => line !== '');
  const events = lines.flatMap((line) => JournalEventSchema.safeParse(parseJson(line)).data ?? []);
  const descriptor = openSync(file, 'a', 0o600);
  // The next append ends a torn last line; every reader skips it.
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
