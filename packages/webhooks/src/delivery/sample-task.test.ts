import { expect, it } from 'vitest';
import { sampleTask } from './sample-task.ts';

it('links a sample file that has not expired', () => {
  const at = 1_767_323_045_000;
  expect(sampleTask('video.completed', at).expiresAt).toBeGreaterThanOrEqual(at + 86_400_000);
});
