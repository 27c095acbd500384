import { type ResponseSink, GatewayError } from '@sluice/canonical';
import type { ResponseWriter } from '@sluice/protocols';
import { describe, expect, it } from 'vitest';
import { openFeed, type StreamFeed } from './stream-feed.ts';

/** A body whose chunks the test writes. */
function body() {
  let sink: ResponseSink | undefined;
  const log: string[] = [];
  return {
    log,
    data: (text: string) => sink?.data(Buffer.from(text)),
    end: () => sink?.end(),
    fail: (error: unknown) => sink?.fail(error),
    response: {
      feed: (to: ResponseSink) => void (sink = to),
      resume: () => void log.push('resume'),
      abort: () => void log.push('abort'),
      collect: () => Promise.reject(new Error('a stream is never collected')),
    },
  };
}

/** A writer that returns its input. `!` is an upstream error, `?` is an empty text, and `.` is the end. */
function scriptedWriter(isReported = false): ResponseWriter {
  const writer: ResponseWriter = {
    encoding: 'utf8',
    progress: { isFinished: false },
    push: (chunk) => {
      const text = Buffer.from(chunk).toString();
      if (text.includes('!')) {
        writer.progress.failed = new GatewayError('provider_overloaded', 'busy');
        writer.progress.isReported = isReported;
      }
      if (text.includes('.')) writer.progress.isFinished = true;
      return text.replaceAll('?', '');
    },
    end: () => {
      if (!writer.progress.isFinished) writer.progress.failed = new GatewayError('provider_error', 'no ending');
      return '';
    },
    fail: () => '',
    keepAlive: () => '',
  };
  return writer;
}

function errorOf(error: unknown): GatewayError {
  return error instanceof GatewayError ? error : new GatewayError('provider_error', 'broke off', { cause: error });
}

/** Collects the output of a feed. */
function take(feed: StreamFeed, shouldContinue = true): string[] {
  const taken: string[] = [];
  feed.feed({
    text: (text) => {
      taken.push(text);
      return shouldContinue;
    },
    end: () => void taken.push('<end>'),
    fail: (error, isReported) => void taken.push(`<${error.message}${isReported ? ', reported' : ''}>`),
  });
  return taken;
}

describe('a stream', () => {
  it('is open after its first text, which is buffered until a target is attached', async () => {
    const from = body();
    const opening = openFeed(from.response, scriptedWriter(), errorOf);
    expect(from.data('?')).toBe(true);
    expect(from.data('one')).toBe(false);
    const taken = take(await opening);
    expect(taken).toEqual(['one']);
    expect(from.log).toEqual(['resume']);
    expect(from.data('two')).toBe(true);
    from.data('.');
    from.end();
    expect(taken).toEqual(['one', 'two', '.', '<end>']);
  });

  it('applies back-pressure', async () => {
    const from = body();
    const opening = openFeed(from.response, scriptedWriter(), errorOf);
    from.data('one');
    const feed = await opening;
    take(feed, false);
    expect(from.log).toEqual([]);
    feed.resume();
    expect(from.log).toEqual(['resume']);
    expect(from.data('two')).toBe(false);
  });

  it('may end before a target is attached', async () => {
    const from = body();
    const opening = openFeed(from.response, scriptedWriter(), errorOf);
    from.data('all.');
    from.end();
    expect(take(await opening)).toEqual(['all.', '<end>']);
  });

  it('may end without a text for the client', async () => {
    const from = body();
    const silent = scriptedWriter();
    silent.progress.isFinished = true;
    const opening = openFeed(from.response, silent, errorOf);
    from.end();
    expect(take(await opening)).toEqual(['<end>']);
  });
});

describe('before the first text', () => {
  it.each([
    ['an error of the upstream', (from: ReturnType<typeof body>) => from.data('!'), 'busy'],
    ['an end without an ending', (from: ReturnType<typeof body>) => from.end(), 'no ending'],
    ['a connection that breaks', (from: ReturnType<typeof body>) => from.fail(new Error('reset')), 'broke off'],
  ])('%s rejects the attempt and aborts the call', async (_what, happen, message) => {
    const from = body();
    const opening = openFeed(from.response, scriptedWriter(), errorOf);
    from.data('?');
    happen(from);
    await expect(opening).rejects.toMatchObject({ message });
    expect(from.log).toContain('abort');
  });
});

describe('after the first text', () => {
  it.each([
    ['an error of the upstream', false, (from: ReturnType<typeof body>) => from.data('!'), ['one', '!', '<busy>']],
    [
      'one that is in the text',
      true,
      (from: ReturnType<typeof body>) => from.data('!'),
      ['one', '!', '<busy, reported>'],
    ],
    ['an end without an ending', false, (from: ReturnType<typeof body>) => from.end(), ['one', '<no ending>']],
    ['a break', false, (from: ReturnType<typeof body>) => from.fail(new Error('reset')), ['one', '<broke off>']],
  ])('%s goes to the client', async (_what, isReported, happen, expected) => {
    const from = body();
    const opening = openFeed(from.response, scriptedWriter(isReported), errorOf);
    from.data('one');
    const taken = take(await opening);
    happen(from);
    expect(taken).toEqual(expected);
  });

  it('sends nothing after an error', async () => {
    const from = body();
    const opening = openFeed(from.response, scriptedWriter(), errorOf);
    from.data('one');
    const taken = take(await opening);
    from.data('!');
    expect(from.data('more')).toBe(false);
    from.end();
    from.fail(new Error('late'));
    expect(taken).toEqual(['one', '!', '<busy>']);
  });
});
