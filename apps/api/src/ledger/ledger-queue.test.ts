import { describe, expect, it } from 'vitest';
import { LedgerQueue } from './ledger-queue.ts';

/** The documented maximum. */
const MAX_QUEUED = 10_000;

interface Rig {
  queue: LedgerQueue;
  batches: string[][];
  lines: string[];
  dropped: number;
  isAway: boolean;
}

function queueRig(): Rig {
  const rig: Rig = {
    batches: [],
    lines: [],
    dropped: 0,
    isAway: false,
    queue: new LedgerQueue({
      send: async (entries) => {
        if (rig.isAway) throw new Error('away');
        rig.batches.push([...entries]);
      },
      onDrop: (entries) => (rig.dropped += entries),
      logger: { warn: (...line: unknown[]) => void rig.lines.push(String(line[1])) },
    }),
  };
  return rig;
}

const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

describe('LedgerQueue', () => {
  it('sends entries of the same moment together, in their order', async () => {
    const rig = queueRig();
    for (const text of texts(7)) rig.queue.add(text);
    await expect.poll(() => rig.batches).toEqual([texts(7)]);
  });

  it('limits the size of a batch', async () => {
    const rig = queueRig();
    for (const text of texts(250)) rig.queue.add(text);
    await expect.poll(() => rig.batches.flat()).toEqual(texts(250));
    expect(Math.max(...rig.batches.map(({ length }) => length))).toBe(100);
  });

  it('keeps entries while Redis is away, and logs it once', async () => {
    const rig = queueRig();
    rig.isAway = true;
    rig.queue.add('a');
    await expect.poll(() => rig.lines.length).toBe(1);
    rig.queue.add('b');
    rig.isAway = false;
    await expect.poll(() => rig.batches.flat()).toEqual(['a', 'b']);
    expect(rig).toMatchObject({ dropped: 0, lines: { length: 1 } });
  });

  it('drops entries beyond its limit', async () => {
    const rig = queueRig();
    rig.isAway = true;
    for (const text of texts(MAX_QUEUED + 3)) rig.queue.add(text);
    expect(rig.dropped).toBe(3);
    rig.isAway = false;
    await rig.queue.end();
    expect(rig.batches.flat()).toHaveLength(MAX_QUEUED);
  });

  it('sends all entries before the process stops', async () => {
    const rig = queueRig();
    rig.isAway = true;
    for (const text of texts(150)) rig.queue.add(text);
    const ended = rig.queue.end();
    setTimeout(() => (rig.isAway = false), 50);
    await ended;
    expect(rig.batches.flat()).toEqual(texts(150));
  });

  it('gives up after a few seconds when the process stops, and counts the loss', async () => {
    const rig = queueRig();
    rig.isAway = true;
    for (const text of texts(5)) rig.queue.add(text);
    await rig.queue.end();
    expect(rig).toMatchObject({ dropped: 5, batches: [] });
  });
});
