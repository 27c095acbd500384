import { describe, expect, it } from 'vitest';
import { createJobLedger } from './job-ledger.ts';
import type { Journal, JournalEvent } from './journal.ts';
import type { VideoJob } from './video-job.ts';

function job(id: string, task = 'task'): VideoJob {
  return {
    id,
    task,
    model: 'm',
    prompt: 'kite',
    seconds: '4',
    width: 320,
    height: 176,
    createdAt: 0,
    renderMs: 0,
    inputs: [],
  };
}

function memoryJournal(written: JournalEvent[] = []): Journal {
  return { events: [...written], unreadable: 0, append: (event) => written.push(event), close: () => undefined };
}

describe('createJobLedger', () => {
  it('counts by task what was accepted, refused and canceled', () => {
    const ledger = createJobLedger(memoryJournal());
    ledger.refuse({ task: 'a', prompt: 'kite', reason: 'busy' });
    ledger.accept(job('1', 'a'));
    ledger.accept(job('2', 'a'));
    ledger.accept(job('3', 'b'));
    ledger.remove('2', true);
    ledger.remove('3', false);
    expect(ledger.submissions()).toMatchObject([
      { task: 'a', prompt: 'kite', applied: 2, refused: 1, canceled: 1, upstreamIds: ['1', '2'] },
      { task: 'b', applied: 1, refused: 0, canceled: 0, upstreamIds: ['3'] },
    ]);
    expect(ledger.jobs().map(({ id }) => id)).toEqual(['1']);
    expect(ledger.refusals('a', 'busy')).toBe(1);
    expect(ledger.refusals('a', 'other')).toBe(0);
  });

  it('takes a fault as often as asked, for each job and word alone', () => {
    const ledger = createJobLedger(memoryJournal());
    expect([1, 2, 3].map(() => ledger.takeFault('1', '[500]', 2))).toEqual([true, true, false]);
    expect(ledger.takeFault('2', '[500]', 2)).toBe(true);
    expect(ledger.takeFault('1', '[cut]', 2)).toBe(true);
    expect(ledger.faults('1', '[500]')).toBe(2);
  });

  it('knows after a restart exactly what it knew before', () => {
    const written: JournalEvent[] = [];
    const ledger = createJobLedger(memoryJournal(written));
    ledger.refuse({ task: 'a', prompt: 'kite', reason: 'busy' });
    ledger.accept(job('1', 'a'));
    ledger.accept(job('2', 'a'));
    ledger.takeFault('1', '[500]', 2);
    ledger.remove('2', true);
    const again = createJobLedger(memoryJournal(written));
    expect(again.submissions()).toEqual(ledger.submissions());
    expect(again.jobs()).toEqual(ledger.jobs());
    expect(again.refusals('a', 'busy')).toBe(1);
    expect(again.faults('1', '[500]')).toBe(1);
  });

  it('does not count what the journal could not take', () => {
    const full: Journal = {
      ...memoryJournal(),
      append: () => {
        throw new Error('ENOSPC');
      },
    };
    const ledger = createJobLedger(full);
    expect(() => ledger.accept(job('1'))).toThrow('ENOSPC');
    expect(ledger.find('1')).toBeUndefined();
    expect(ledger.submissions()).toEqual([]);
  });
});
