import { describe, expect, it } from 'vitest';
import { reading } from '../../test/text-rig.ts';
import { ResponseStream } from './response-stream.ts';

const bytes = (text: string) => Buffer.from(text);

/** A body whose source notes what it is told, as a connection would do it. */
function staged() {
  const told: string[] = [];
  const body: ResponseStream = new ResponseStream({
    pause: () => told.push('pause'),
    resume: () => told.push('resume'),
    abort: () => {
      told.push('abort');
      body.fail(new Error('cut'));
    },
    through: () => told.push('through'),
  });
  return { body, told };
}

describe('a body', () => {
  it('keeps what comes before it is read, and is paused past 64 KiB of it', () => {
    const { body, told } = staged();
    body.push(Buffer.alloc(64 * 1024));
    expect(told).toEqual([]);
    body.push(bytes('x'));
    expect(told).toEqual(['pause']);
    const read = reading();
    body.feed(read);
    expect([read.bytes(), told]).toEqual([64 * 1024 + 1, ['pause', 'resume']]);
  });

  it('that is whole before it is read is read as one that is not', () => {
    const { body } = staged();
    body.push(bytes('a'));
    body.push(bytes('b'));
    body.end();
    const read = reading();
    body.feed(read);
    expect([read.text(), read.ended()]).toEqual(['ab', 'end']);
  });

  it('that broke before it is read gives what came, then the error', () => {
    const { body } = staged();
    const broken = new Error('broken');
    body.push(bytes('a'));
    body.fail(broken);
    const read = reading();
    body.feed(read);
    expect([read.text(), read.ended()]).toEqual(['a', broken]);
  });

  it('hands nothing to a reader that said no, whatever still comes, until it says go on', () => {
    const { body, told } = staged();
    let eager = false;
    const read = reading(() => eager);
    body.feed(read);
    body.push(bytes('a'));
    expect(told).toEqual(['resume', 'pause']);
    body.push(bytes('b'));
    body.push(bytes('c'));
    body.end();
    expect([read.text(), read.ended()]).toEqual(['a', undefined]);
    body.resume();
    expect([read.text(), read.ended()]).toEqual(['ab', undefined]);
    eager = true;
    body.resume();
    expect([read.text(), read.ended()]).toEqual(['abc', 'end']);
  });

  it('does not wake a connection past its own end: it may be another call’s by now', () => {
    const { body, told } = staged();
    body.feed(reading(() => false));
    body.push(bytes('a'));
    body.end();
    told.length = 0;
    body.resume();
    expect(told).toEqual(['through']);
  });

  it('ends once, whatever comes after', () => {
    const { body, told } = staged();
    const read = reading();
    body.feed(read);
    body.end();
    body.fail(new Error('late'));
    body.abort();
    body.resume();
    expect([read.ended(), told]).toEqual(['end', ['resume', 'through']]);
  });

  it('is read by one reader', () => {
    const { body } = staged();
    body.feed(reading());
    expect(() => body.feed(reading())).toThrow('read already');
  });
});

describe('a body that is let go', () => {
  it('closes its connection and tells the reader, dropping what was kept', () => {
    const { body, told } = staged();
    const read = reading(() => false);
    body.feed(read);
    body.push(bytes('a'));
    body.push(bytes('b'));
    body.abort();
    expect([read.text(), told.includes('abort')]).toEqual(['a', true]);
    expect(read.ended()).toMatchObject({ failure: 'aborted' });
  });

  it('from within its reader stops there', () => {
    const { body } = staged();
    const read = reading(() => {
      body.abort();
      return false;
    });
    body.push(bytes('a'));
    body.push(bytes('b'));
    body.feed(read);
    expect([read.text(), read.ended()]).toMatchObject(['a', { failure: 'aborted' }]);
  });

  it('after its end, yet unread, closes nothing and reads nothing', () => {
    const { body, told } = staged();
    body.push(bytes('a'));
    body.end();
    body.abort();
    const read = reading();
    body.feed(read);
    expect([read.text(), told]).toEqual(['', ['through']]);
    expect(read.ended()).toMatchObject({ failure: 'aborted' });
  });
});

it('a reader that throws is told its own error, and the connection is closed', () => {
  const { body, told } = staged();
  const mine = new Error('mine');
  const read = reading(() => {
    throw mine;
  });
  body.push(bytes('a'));
  body.feed(read);
  expect([read.ended(), told.includes('abort')]).toEqual([mine, true]);
});

describe('a body that is collected', () => {
  it('comes as one piece', async () => {
    const { body } = staged();
    body.push(bytes('a'));
    const collected = body.collect(3);
    body.push(bytes('bc'));
    body.end();
    expect(Buffer.from(await collected).toString()).toBe('abc');
  });

  it('may be empty', async () => {
    const { body } = staged();
    body.end();
    expect(await body.collect(0)).toHaveLength(0);
  });

  it('and too long is given up, its connection closed', async () => {
    const { body, told } = staged();
    const collected = body.collect(2);
    body.push(bytes('abc'));
    await expect(collected).rejects.toMatchObject({ failure: 'too_large', sent: 'maybe' });
    expect(told).toContain('abort');
  });

  it('and breaks is an error', async () => {
    const { body } = staged();
    const collected = body.collect(2);
    body.fail(new Error('broken'));
    await expect(collected).rejects.toThrow('broken');
  });
});
