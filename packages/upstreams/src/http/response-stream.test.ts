import { describe, expect, it } from 'vitest';
import { reading } from '../../test/text-rig.ts';
import { ResponseStream } from './response-stream.ts';

const bytes = (text: string) => Buffer.from(text);

/** Creates a body whose source records its calls. */
function staged() {
  const calls: string[] = [];
  const body: ResponseStream = new ResponseStream({
    pause: () => calls.push('pause'),
    resume: () => calls.push('resume'),
    abort: () => {
      calls.push('abort');
      body.fail(new Error('cut'));
    },
    onDelivered: () => calls.push('through'),
  });
  return { body, calls };
}

describe('a body', () => {
  it('buffers up to 64 KiB before it is read, then pauses', () => {
    const { body, calls } = staged();
    body.push(Buffer.alloc(64 * 1024));
    expect(calls).toEqual([]);
    body.push(bytes('x'));
    expect(calls).toEqual(['pause']);
    const read = reading();
    body.feed(read);
    expect([read.bytes(), calls]).toEqual([64 * 1024 + 1, ['pause', 'resume']]);
  });

  it('that is complete before it is read behaves like any other', () => {
    const { body } = staged();
    body.push(bytes('a'));
    body.push(bytes('b'));
    body.end();
    const read = reading();
    body.feed(read);
    expect([read.text(), read.ended()]).toEqual(['ab', 'end']);
  });

  it('that broke before it is read returns its bytes, then the error', () => {
    const { body } = staged();
    const broken = new Error('broken');
    body.push(bytes('a'));
    body.fail(broken);
    const read = reading();
    body.feed(read);
    expect([read.text(), read.ended()]).toEqual(['a', broken]);
  });

  it('passes nothing to a paused reader until it resumes', () => {
    const { body, calls } = staged();
    let eager = false;
    const read = reading(() => eager);
    body.feed(read);
    body.push(bytes('a'));
    expect(calls).toEqual(['resume', 'pause']);
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

  it('does not resume its connection after its end: it may serve another call', () => {
    const { body, calls } = staged();
    body.feed(reading(() => false));
    body.push(bytes('a'));
    body.end();
    calls.length = 0;
    body.resume();
    expect(calls).toEqual(['through']);
  });

  it('ends once, whatever follows', () => {
    const { body, calls } = staged();
    const read = reading();
    body.feed(read);
    body.end();
    body.fail(new Error('late'));
    body.abort();
    body.resume();
    expect([read.ended(), calls]).toEqual(['end', ['resume', 'through']]);
  });

  it('allows one reader', () => {
    const { body } = staged();
    body.feed(reading());
    expect(() => body.feed(reading())).toThrow('read already');
  });
});

describe('an aborted body', () => {
  it('closes its connection, informs the reader, and drops its buffer', () => {
    const { body, calls } = staged();
    const read = reading(() => false);
    body.feed(read);
    body.push(bytes('a'));
    body.push(bytes('b'));
    body.abort();
    expect([read.text(), calls.includes('abort')]).toEqual(['a', true]);
    expect(read.ended()).toMatchObject({ failure: 'aborted' });
  });

  it('stops at once when its reader aborts it', () => {
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

  it('does nothing after its end if unread', () => {
    const { body, calls } = staged();
    body.push(bytes('a'));
    body.end();
    body.abort();
    const read = reading();
    body.feed(read);
    expect([read.text(), calls]).toEqual(['', ['through']]);
    expect(read.ended()).toMatchObject({ failure: 'aborted' });
  });
});

it('passes a reader its own error and closes the connection', () => {
  const { body, calls } = staged();
  const mine = new Error('mine');
  const read = reading(() => {
    throw mine;
  });
  body.push(bytes('a'));
  body.feed(read);
  expect([read.ended(), calls.includes('abort')]).toEqual([mine, true]);
});

describe('a collected body', () => {
  it('is one chunk', async () => {
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

  it('closes its connection when too long', async () => {
    const { body, calls } = staged();
    const collected = body.collect(2);
    body.push(bytes('abc'));
    await expect(collected).rejects.toMatchObject({ failure: 'too_large', sent: 'maybe' });
    expect(calls).toContain('abort');
  });

  it('throws when it breaks', async () => {
    const { body } = staged();
    const collected = body.collect(2);
    body.fail(new Error('broken'));
    await expect(collected).rejects.toThrow('broken');
  });
});
