import { describe, expect, it } from 'vitest';
import { createJobLedger } from './job-ledger.ts';
import type { Journal, JournalEvent } from './journal.ts';
import type { MediaJob } from './media-job.ts';

function job(id: string, task = 'task', more: Partial<MediaJob> = {}): MediaJob {
  return {
    id,
    wire: 'videos',
    kind: 'video',
    task,
    model: 'm',
    prompt: 'kite',
    seconds: 4,
    width: 320,
    height: 176,
    count: 1,
    createdAt: 0,
    renderMs: 0,
    inputs: [],
    ...more,
  };
}

const refusal = { wire: 'videos', task: 'a', prompt: 'kite' } as const;

function memoryJournal(written: JournalEvent[] = []): Journal {
  return { events: [...written], unreadable: 0, append: (event) => written.push(event), close: () => undefined };
}

describe('createJobLedger', () => {
  it('counts accepted, refused, and canceled submissions by task', () => {
    const ledger = createJobLedger(memoryJournal());
    ledger.refuse(refusal);
    for (const accepted of [job('1', 'a'), job('2', 'a'), job('3', 'b')]) ledger.accept(accepted);
    ledger.remove(job('2', 'a'), true);
    ledger.remove(job('3', 'b'), false);
    expect(ledger.submissions()).toMatchObject([
      { wire: 'videos', task: 'a', prompt: 'kite', applied: 2, refused: 1, canceled: 1, upstreamIds: ['1', '2'] },
      { wire: 'videos', task: 'b', applied: 1, refused: 0, canceled: 0, upstreamIds: ['3'] },
    ]);
    expect(ledger.jobs('videos').map(({ id }) => id)).toEqual(['1']);
  });

  it('separates vendor APIs with equal ids and tasks', () => {
    const ledger = createJobLedger(memoryJournal());
    ledger.accept(job('1'));
    ledger.accept(job('1', 'task', { wire: 'vidu', prompt: 'boat' }));
    ledger.consumeFault('vidu', '1', '[500]', 1);
    ledger.remove(job('1'), false);
    expect(ledger.find('videos', '1')).toBeUndefined();
    expect(ledger.find('vidu', '1')).toMatchObject({ prompt: 'boat' });
    expect(ledger.faults('videos', '1', '[500]')).toBe(0);
    expect(ledger.submissions().map(({ wire, applied }) => [wire, applied])).toEqual([
      ['videos', 1],
      ['vidu', 1],
    ]);
    expect(ledger.submissions('vidu').map(({ wire }) => wire)).toEqual(['vidu']);
  });

  it('fires a fault the requested number of times, per subject and directive', () => {
    const ledger = createJobLedger(memoryJournal());
    expect([1, 2, 3].map(() => ledger.consumeFault('videos', '1', '[500]', 2))).toEqual([true, true, false]);
    expect(ledger.consumeFault('videos', '2', '[500]', 2)).toBe(true);
    expect(ledger.consumeFault('videos', '1', '[cut]', 2)).toBe(true);
    expect(ledger.faults('videos', '1', '[500]')).toBe(2);
  });

  it('counts concurrent jobs, except finished, removed, and not yet started ones', () => {
    const ledger = createJobLedger(memoryJournal());
    ledger.accept(job('1', 'a', { renderMs: 100 }));
    ledger.accept(job('2', 'a', { createdAt: 50, renderMs: 100 }));
    ledger.accept(job('3', 'a', { createdAt: 60, startsAt: 100, renderMs: 100 }));
    expect(ledger.maxRunning()).toEqual({ videos: 2 });
    expect(ledger.unfinished('videos', 120).map(({ id }) => id)).toEqual(['2', '3']);
    ledger.remove(job('2', 'a'), true);
    ledger.accept(job('4', 'a', { createdAt: 120, renderMs: 100 }));
    expect(ledger.maxRunning()).toEqual({ videos: 2 });
    ledger.accept(job('5', 'a', { createdAt: 130, renderMs: 100 }));
    expect(ledger.maxRunning()).toEqual({ videos: 3 });
  });

  it('keeps and counts a canceled job and frees its slot', () => {
    const ledger = createJobLedger(memoryJournal());
    ledger.accept(job('1', 'a', { renderMs: 100 }));
    ledger.cancel(job('1', 'a'), 50);
    expect(ledger.find('videos', '1')).toMatchObject({ canceledAt: 50 });
    expect(ledger.unfinished('videos', 60)).toEqual([]);
    ledger.cancel(job('1', 'a'), 60);
    ledger.accept(job('2', 'a', { createdAt: 60, renderMs: 100 }));
    ledger.cancel(job('2', 'a'), 160);
    expect(ledger.find('videos', '2')?.canceledAt).toBeUndefined();
    expect(ledger.submissions()).toMatchObject([{ applied: 2, canceled: 1 }]);
  });

  it('restores its exact state after a restart', () => {
    const written: JournalEvent[] = [];
    const ledger = createJobLedger(memoryJournal(written));
    ledger.refuse(refusal);
    ledger.accept(job('1', 'a'));
    ledger.accept(job('2', 'a', { renderMs: 100 }));
    ledger.consumeFault('videos', '1', '[500]', 2);
    ledger.remove(job('2', 'a'), true);
    ledger.accept(job('3', 'a', { renderMs: 100 }));
    ledger.cancel(job('3', 'a'), 50);
    const again = createJobLedger(memoryJournal(written));
    expect(again.submissions()).toEqual(ledger.submissions());
    expect(again.jobs('videos')).toEqual(ledger.jobs('videos'));
    expect(again.faults('videos', '1', '[500]')).toBe(1);
    expect(again.maxRunning()).toEqual(ledger.maxRunning());
  });

  it('does not count a change that the journal could not store', () => {
    const full: Journal = {
      ...memoryJournal(),
      append: () => {
        throw new Error('ENOSPC');
      },
    };
    const ledger = createJobLedger(full);
    expect(() => ledger.accept(job('1'))).toThrow('ENOSPC');
    expect(ledger.find('videos', '1')).toBeUndefined();
    expect(ledger.submissions()).toEqual([]);
  });
});
