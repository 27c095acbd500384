import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { at, type WireResponse, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, type SandboxSettings, startSandbox } from '../../start-sandbox.ts';
import { fileIdOf } from './v1-task.ts';

const START = 1_767_323_045_000;
const HOUR_MS = 3600 * 1000;
let clock = START;
let sandbox: RunningSandbox;

async function serve(settings: SandboxSettings = {}): Promise<void> {
  sandbox = await startSandbox({ renderMs: 1000, now: () => clock, visibleAfterMs: 0, ...settings });
}
beforeEach(async () => {
  clock = START;
  await serve();
});
afterEach(() => sandbox.close());

const call = wireCaller(() => `${sandbox.url}/minimax/v1`, { authorization: 'Bearer sk-sandbox' });

const submit = (prompt: string) => call('POST', '/video_generation', { model: 'T2V-01', prompt });

const codeOf = ({ body }: WireResponse): unknown => at(body, 'base_resp.status_code');

async function task(prompt: string): Promise<() => Promise<WireResponse>> {
  const id = String((await submit(prompt)).body.task_id);
  return () => call('GET', `/query/video_generation?task_id=${id}`);
}

async function retrieve(poll: () => Promise<WireResponse>): Promise<WireResponse> {
  return call('GET', `/files/retrieve?file_id=${String((await poll()).body.file_id)}`);
}

describe('the key', () => {
  it.each([
    ['POST', '/video_generation'],
    ['GET', '/query/video_generation?task_id=1'],
    ['GET', '/files/retrieve?file_id=1'],
  ])('is required for %s %s, with HTTP 200', async (method, path) => {
    const body = method === 'POST' ? {} : undefined;
    const responses = await Promise.all(
      ['', 'Bearer sk-other'].map((authorization) => call(method, path, body, { authorization })),
    );
    expect(responses.map((response) => [response.status, codeOf(response)])).toEqual([
      [200, 1004],
      [200, 2049],
    ]);
  });
});

describe('a task of v1', () => {
  it('goes from Preparing to Success with a URL that expires after 9 hours', async () => {
    const submitted = await submit('kite');
    expect(submitted).toMatchObject({ status: 200, body: { base_resp: { status_code: 0, status_msg: 'success' } } });
    expect(submitted.body.task_id).toMatch(/^\d{19}$/);
    expect(submitted.headers.get('trace-id')).toMatch(/^req_/);
    const poll = await task('kite');
    const words: unknown[] = [];
    for (const step of [0, 500, 500]) {
      clock += step;
      words.push((await poll()).body.status);
    }
    expect(words).toEqual(['Preparing', 'Processing', 'Success']);
    expect((await poll()).body).toMatchObject({ video_width: 1280, video_height: 720 });
    const { body } = await retrieve(poll);
    const bytes = Number(at(body, 'file.bytes'));
    expect(body).toMatchObject({
      file: { file_id: expect.any(Number), filename: 'output.mp4', purpose: 'video_generation' },
      base_resp: { status_code: 0 },
    });
    const url = String(at(body, 'file.download_url'));
    const video = await fetch(url);
    expect([video.status, (await video.bytes()).length]).toEqual([200, bytes]);
    clock += 9 * HOUR_MS;
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(String(at((await retrieve(poll)).body, 'file.download_url')))).status).toBe(200);
  });

  it('waits if the account is at its limit', async () => {
    await sandbox.close();
    await serve({ concurrency: { minimax: 1 } });
    await submit('kite');
    const poll = await task('boat');
    expect((await poll()).body.status).toBe('Queueing');
    clock += 1000;
    expect((await poll()).body.status).toBe('Preparing');
  });

  it('is not visible at first, and is not found by invalid ids', async () => {
    await sandbox.close();
    await serve({ visibleAfterMs: 200 });
    const poll = await task('kite');
    expect(codeOf(await poll())).toBe(2013);
    clock += 200;
    expect((await poll()).body.status).toBe('Processing');
    const paths = [
      '/query/video_generation',
      '/query/video_generation?task_id=1',
      '/files/retrieve',
      '/files/retrieve?file_id=1',
    ];
    const responses = await Promise.all(paths.map((path) => call('GET', path)));
    expect(responses.map((response) => [response.status, codeOf(response)])).toEqual(paths.map(() => [200, 2013]));
    const early = fileIdOf(testJob({ id: String((await poll()).body.task_id) }));
    expect(codeOf(await call('GET', `/files/retrieve?file_id=${early}`))).toBe(2013);
    expect(codeOf(await call('POST', '/video_generation', '{"model":'))).toBe(2013);
    expect((await call('GET', '/nonsense')).status).toBe(404);
  });

  it('is unknown to v2', async () => {
    const id = String((await submit('kite')).body.task_id);
    const other = await fetch(`${sandbox.url}/minimax/v2/query/video_generation/${id}`, {
      headers: { authorization: 'Bearer sk-sandbox' },
    });
    expect(other.status).toBe(400);
  });
});

describe('directives', () => {
  it.each([
    ['[moderation]', 200, 1026],
    ['[refused]', 200, 2013],
    ['[balance]', 200, 1008],
    ['[429]', 200, 1002],
    ['[503]', 503, 1033],
  ])('%s at a submission', async (word, status, code) => {
    const response = await submit(`kite ${word}`);
    expect([response.status, codeOf(response)]).toEqual([status, code]);
  });

  it('[500] and [garbage] at a poll', async () => {
    const broken = await task('kite [500]');
    expect(codeOf(await broken())).toBe(1000);
    expect((await (await task('kite [garbage]'))()).body.status).toBe('Reviewing');
  });

  it('[expire-once] returns another URL at the next request; [nothing] returns no file', async () => {
    const polls = [await task('kite [expire-once]'), await task('kite [nothing]')];
    clock += 1000;
    const [once = polls[0], empty = once] = polls;
    if (once === undefined || empty === undefined) throw new Error('there are two');
    const download = async () => (await fetch(String(at((await retrieve(once)).body, 'file.download_url')))).status;
    expect([await download(), await download()]).toEqual([403, 200]);
    expect((await empty()).body).toMatchObject({ status: 'Success', file_id: '' });
    expect(codeOf(await retrieve(empty))).toBe(2013);
  });
});
