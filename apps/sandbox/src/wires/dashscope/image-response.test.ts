import { describe, expect, it } from 'vitest';
import { testJob } from '../../../test/media-rig.ts';
import { jobState } from '../../jobs/media-job.ts';
import { imageResponse } from './image-response.ts';

function response(prompt: string, isChoice: boolean) {
  const job = testJob({ prompt, kind: 'image', count: 2 });
  return imageResponse(job, jobState(job, 1000), isChoice, (outputs) => outputs.map((index) => `u${index}`));
}

function choice(...urls: string[]) {
  const content = urls.map((image) => ({ image }));
  return { finish_reason: 'stop', message: { role: 'assistant', content } };
}

describe('imageResponse', () => {
  it('returns images as contents of one choice, or as choices', () => {
    expect(response('kite', false)).toEqual({
      output: { choices: [choice('u0', 'u1')], task_metric: { TOTAL: 2, SUCCEEDED: 2, FAILED: 0 } },
      usage: { width: 32, height: 32, image_count: 2 },
    });
    expect(response('kite', true).output).toMatchObject({ choices: [choice('u0'), choice('u1')] });
  });

  it('counts failed images', () => {
    expect(response('kite [partial]', false)).toMatchObject({
      output: { choices: [choice('u0')], task_metric: { TOTAL: 2, SUCCEEDED: 1, FAILED: 1 } },
      usage: { image_count: 1 },
    });
    expect(response('kite [nothing]', true).output).toMatchObject({ choices: [] });
  });

  it('rejects a failed job', () => {
    expect(() => response('kite [fail]', false)).toThrow(expect.objectContaining({ status: 500 }));
    expect(() => response('kite [moderated-output]', false)).toThrow(expect.objectContaining({ status: 400 }));
  });
});
