import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type JournalEvent, openJournal } from './journal.ts';

const EVENTS: JournalEvent[] = [
  { type: 'refused', wire: 'provider-a', task: 't', prompt: 'kite\n🪁' },
  { type: 'fault', wire: 'videos', subject: 'video_1', word: '[500]' },
  { type: 'canceled', wire: 'ark', jobId: 'cgt-1', at: 7 },
  { type: 'removed', wire: 'videos', jobId: 'video_1', canceled: true },
];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'journal-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('openJournal', () => {
  it('returns appended events even if it was not closed', () => {
    const journal = openJournal(path.join(folder, 'deep', 'down'));
    for (const event of EVENTS) journal.append(event);
    const again = openJournal(path.join(folder, 'deep', 'down'));
    expect(again.events).toEqual(EVENTS);
    expect(again.unreadable).toBe(0);
    const modes = ['deep/down', 'deep/down/journal.jsonl'].map(
      (name) => statSync(path.join(folder, name)).mode & 0o777,
    );
    expect(modes).toEqual([0o700, 0o600]);
    journal.close();
    again.close();
  });

  it('skips a partial last line and keeps events appended after it', () => {
    const [first, second] = EVENTS.map((event) => JSON.stringify(event));
    writeFileSync(path.join(folder, 'journal.jsonl'), `${first}\n${second?.slice(0, 20)}`);
    const torn = openJournal(folder);
    expect(torn.events).toEqual(EVENTS.slice(0, 1));
    expect(torn.unreadable).toBe(1);
    for (const event of EVENTS.slice(1)) torn.append(event);
    torn.close();
    const healed = openJournal(folder);
    expect(healed.events).toEqual(EVENTS);
    healed.close();
  });

  it('skips a line that is not an event', () => {
    const journal = openJournal(folder);
    journal.append({ type: 'fault', wire: 'videos', subject: 'video_1', word: '[500]' });
    appendFileSync(path.join(folder, 'journal.jsonl'), '{"type":"unheard-of"}\n');
    const again = openJournal(folder);
    expect([again.events.length, again.unreadable]).toEqual([1, 1]);
    journal.close();
    again.close();
  });

  it('writes one line per event', () => {
    const journal = openJournal(folder);
    for (const event of EVENTS) journal.append(event);
    expect(readFileSync(path.join(folder, 'journal.jsonl'), 'utf8').split('\n').length).toBe(EVENTS.length + 1);
    journal.close();
    journal.close();
  });

  it('stores nothing without a folder', () => {
    const journal = openJournal(undefined);
    for (const event of EVENTS) journal.append(event);
    expect(journal.events).toEqual([]);
    journal.close();
  });

  it('reports why a folder cannot be used', () => {
    writeFileSync(path.join(folder, 'file'), '');
    expect(() => openJournal(path.join(folder, 'file'))).toThrow(/EEXIST|ENOTDIR/);
  });
});
