import RunwayML, { APIError, TaskFailedError } from '@runwayml/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { imageUrl } from '../../../test/wire-caller.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let ahead = 0;
let sandbox: RunningSandbox;

beforeEach(async () => {
  ahead = 0;
  sandbox = await startSandbox({ renderMs: 60_000, now: () => Date.now() + ahead });
});
afterEach(() => sandbox.close());

const client = (more: object = {}) =>
  new RunwayML({ apiKey: 'sk-sandbox', baseURL: `${sandbox.url}/runway`, maxRetries: 0, ...more });

const params = {
  model: 'gen4_turbo',
  promptText: 'a kite',
  promptImage: [{ uri: imageUrl(64, 36), position: 'first' }],
  ratio: '1584:672',
  duration: 2,
} as const;

describe('@runwayml/sdk', () => {
  it('generates a video from an image, and downloads it', async () => {
    const { id, estimatedCost } = await client().imageToVideo.create({
      ...params,
      promptImage: [...params.promptImage],
    });
    expect(estimatedCost.credits).toBe(10);
    ahead = 30_000;
    expect(await client().tasks.retrieve(id)).toMatchObject({ status: 'RUNNING', progress: expect.closeTo(0.5, 1) });
    ahead = 61_000;
    const { output } = await client().tasks.retrieve(id).waitForTaskOutput();
    const video = Buffer.from(await (await fetch(output[0] ?? '')).bytes());
    expect(video.toString('latin1', 4, 8)).toBe('ftyp');
  });

  it('generates images, and cancels', async () => {
    const { id } = await client().textToImage.create({ model: 'gen4_image', promptText: 'a kite', ratio: '720:720' });
    ahead = 10_000;
    await client().tasks.delete(id);
    await expect(client().tasks.retrieve(id)).rejects.toMatchObject({ status: 404 });
  });

  it('reads failures and errors', async () => {
    const video = { model: 'gen4.5', promptText: 'kite [moderation]', ratio: '1280:720', duration: 2 } as const;
    const { id } = await client().textToVideo.create(video);
    ahead = 61_000;
    const failure = await client()
      .tasks.retrieve(id)
      .waitForTaskOutput()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TaskFailedError);
    expect(failure).toMatchObject({ taskDetails: { failureCode: 'SAFETY.INPUT.TEXT' } });

    const refusal = await client()
      .textToVideo.create({ ...video, duration: 99 })
      .catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(APIError);
    expect(refusal).toMatchObject({ status: 400, error: { issues: [{ path: ['duration'] }] } });
    await expect(client({ apiKey: 'sk-other' }).textToVideo.create(video)).rejects.toMatchObject({ status: 401 });
    await expect(client({ runwayVersion: '2023-01-01' }).textToVideo.create(video)).rejects.toMatchObject({
      status: 400,
    });
  });

  it('is retried by the client after 429', async () => {
    const video = { model: 'gen4.5', promptText: 'kite [429]', ratio: '1280:720', duration: 2 } as const;
    expect(await client({ maxRetries: 2 }).textToVideo.create(video)).toMatchObject({ id: expect.any(String) });
  });
});
