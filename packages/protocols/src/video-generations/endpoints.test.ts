import { describe, expect, it } from 'vitest';
import { refusal } from '../../test/refusals.ts';
import { videoTask, view } from '../../test/media-tasks.ts';
import { FlatTaskSchema } from '../media/flat-task.ts';
import { videoGenerationsEndpoints, videoGenerationsProtocol } from './endpoints.ts';

const decode = (fields: unknown, files: string[] = []) =>
  videoGenerationsProtocol.decodeVideo({
    fields,
    files: files.map((field) => ({
      field,
      key: 'k',
      mediaType: 'image/png',
      filename: 'a.png',
      bytes: 1,
      sha256: 'x',
    })),
  });

describe('the generic video protocol', () => {
  it('has two endpoints with a Bearer key', () => {
    expect(videoGenerationsEndpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/video/generations',
      'GET /v1/video/generations/:task_id',
    ]);
    for (const { credentials, protocol } of videoGenerationsEndpoints) {
      expect(credentials).toContain('bearer');
      expect(protocol).toBe(videoGenerationsProtocol);
    }
  });

  it('accepts images as files', () => {
    expect(videoGenerationsEndpoints[0].body.fileFields).toEqual(['input_reference', 'image', 'images']);
    expect(decode({ prompt: 'a' }, ['images[]', 'images[]']).images.map(({ role }) => role)).toEqual([
      'first_frame',
      'last_frame',
    ]);
  });

  it('reads the request that new-api documents', () => {
    const fields = {
      model: 'kling-v1',
      prompt: 'a fox',
      image: 'aVZCT1J3MD0=',
      duration: 5.0,
      width: 1280,
      height: 720,
      fps: 30,
      seed: 20231234,
      n: 1,
      response_format: 'url',
      user: 'user-1234',
      metadata: { negative_prompt: 'blurry', style: 'realistic', quality_level: 'high' },
    };
    expect(decode(fields)).toEqual({
      model: 'kling-v1',
      request: {
        kind: 'video',
        prompt: 'a fox',
        negativePrompt: 'blurry',
        seconds: '5',
        size: '1280x720',
        fps: 30,
        seed: 20231234,
        metadata: { user: 'user-1234', style: 'realistic', quality_level: 'high' },
      },
      images: [{ role: 'first_frame', base64: 'aVZCT1J3MD0=', param: 'image' }],
    });
  });

  it.each([
    [{}, 'prompt'],
    [{ prompt: 'a', n: 2 }, 'n'],
    [{ prompt: 'a', response_format: 'b64_json' }, 'response_format'],
    [{ prompt: 'a', duration: 'long' }, 'duration'],
    [{ prompt: 'a', duration: 5, seconds: '6' }, 'duration'],
    [{ prompt: 'a', width: 1280 }, 'height'],
    [{ prompt: 'a', height: 720 }, 'width'],
    [{ prompt: 'a', width: 1280, height: 'tall' }, 'height'],
    [{ prompt: 'a', width: 1280, height: 720, size: '720x1280' }, 'width'],
    [{ prompt: 'a', fps: 0 }, 'fps'],
    [{ prompt: 'a', seed: 1.5 }, 'seed'],
    [{ prompt: 'a', image: 'ftp://pics.test/a.png' }, 'image'],
    [{ prompt: 'a', images: ['https://pics.test/a.png', 5] }, 'images[1]'],
    [{ prompt: 'a', metadata: 'style' }, 'metadata'],
    [{ prompt: 'a', model: 7 }, 'model'],
    [[], undefined],
  ])('rejects %j', (fields, param) => {
    expect(() => decode(fields)).toThrow(refusal(param));
  });

  it('retrieves a created task under the same id', () => {
    const created = videoGenerationsProtocol.encodeCreated({ ...videoTask, status: 'queued' }, view);
    const retrieved = videoGenerationsProtocol.encodeVideo(videoTask, view);
    expect(created).toMatchObject({ id: 'video_01', task_id: 'video_01', object: 'video', status: 'queued' });
    expect(FlatTaskSchema.strict().parse(retrieved)).toMatchObject({ task_id: 'video_01', status: 'completed' });
    expect(retrieved).not.toHaveProperty('id');
  });
});
