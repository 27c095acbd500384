import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { parseJson } from '../schema/json.ts';
import { MediaJobSchema } from './media-job.ts';

/** Old journals omit this field, because `videos` was the only vendor API. */
const JournalWire = z.string().default('videos');

const JournalEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('accepted'), job: MediaJobSchema }),
  z.object({ type: z.literal('refused'), wire: JournalWire, task: z.string(), prompt: z.string() }),
  /** One use of a directive that affects only the first calls of a subject. */
  z.object({ type: z.literal('fault'), wire: JournalWire, subject: z.string(), word: z.string() }),
  z.object({ type: z.literal('canceled'), wire: z.string(), jobId: z.string(), at: z.number() }),
  z.object({ type: z.literal('removed'), wire: JournalWire, jobId: z.string(), canceled: z.boolean() }),
]);

export type JournalEvent = z.output<typeof JournalEventSchema>;

export interface Journal {
  readonly events: readonly JournalEvent[];
  /** Number of lines that could not be parsed, e.g. a line cut off when the process was killed. */
  readonly unreadable: number;
  /** Writes synchronously. After it returns, a crash of this process cannot lose the event. */
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
 * Creates the folder if it is missing. Without a folder, nothing is persisted.
 * @throws the file system error if the folder is unusable.
 */
export function openJournal(folder: string | undefined): Journal {
  if (folder === undefined) return { events: [], unreadable: 0, append: () => undefined, close: () => undefined };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, 'journal.jsonl');
  const text = readText(file);
  const lines = text.split('\n').filter((line) => line !== '');
  const events = lines.flatMap((line) => JournalEventSchema.safeParse(parseJson(line)).data ?? []);
  const descriptor = openSync(file, 'a', 0o600);
  // If the last line is partial, the next append first ends it with a newline. Readers skip partial lines.
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
