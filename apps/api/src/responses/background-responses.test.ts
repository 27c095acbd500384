import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../../test/text-rig.ts';
import { vendorConfig } from '../../test/vendor.ts';
import { createBackgroundResponses } from './background-responses.ts';

describe('background responses', () => {
  it('are awaited until they are stored, and are aborted at the end', async () => {
    const background = createBackgroundResponses(new AbortController().signal);
    const stored = Promise.withResolvers<void>();
    const seen: string[] = [];
    background.run(async (stopping) => {
      await new Promise((resolve) => stopping.addEventListener('abort', resolve));
      seen.push('aborted');
      await stored.promise;
      seen.push('stored');
    });
    const ended = background.end().then(() => seen.push('ended'));
    expect(background.isEnding()).toBe(true);
    await expect.poll(() => seen).toEqual(['aborted']);
    stored.resolve();
    await ended;
    expect(seen).toEqual(['aborted', 'stored', 'ended']);
  });

  it('are aborted when the process stops', () => {
    const stop = new AbortController();
    const background = createBackgroundResponses(stop.signal);
    expect(background.isEnding()).toBe(false);
    stop.abort();
    expect(background.isEnding()).toBe(true);
  });
});

describe('a stopping process', () => {
  let upstream: ScriptedUpstream;
  let rig: TextRig;
  let stop: AbortController;
  beforeEach(async () => {
    stop = new AbortController();
    // never responds
    upstream = await scriptedUpstream(() => undefined);
    rig = await textRig(vendorConfig(upstream.url), { stopping: stop.signal });
  });
  afterEach(async () => {
    await rig.close();
    await upstream.close();
  });

  const sendRequest = () => rig.post('/v1/responses', { model: 'by-chat', input: 'think', background: true });
  const read = async (id: string): Promise<unknown> => (await rig.call(`/v1/responses/${id}`)).json();

  it('stores its background responses as failed with a public message, and aborts their upstream calls', async () => {
    // The cast is safe because every response has an id.
    const { id } = (await (await sendRequest()).json()) as { id: string };
    await expect.poll(() => upstream.requests).toHaveLength(1);
    stop.abort();
    await expect
      .poll(() => read(id))
      .toMatchObject({ status: 'failed', error: { message: expect.stringMatching(/stopped/) } });
    await expect.poll(() => upstream.disconnects).toBe(1);
    expect(rig.logs()).not.toContain('background response failed');
  });

  it('leaves canceled responses unchanged', async () => {
    // The cast is safe because every response has an id.
    const { id } = (await (await sendRequest()).json()) as { id: string };
    await expect.poll(() => upstream.requests).toHaveLength(1);
    await rig.call(`/v1/responses/${id}/cancel`, { method: 'POST' });
    stop.abort();
    await expect.poll(() => upstream.disconnects).toBe(1);
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
  });

  it('starts no more background responses', async () => {
    stop.abort();
    const response = await sendRequest();
    expect(response.status).toBe(503);
    expect(response.headers.get('x-should-retry')).toBe('true');
    expect(upstream.requests).toEqual([]);
  });
});
