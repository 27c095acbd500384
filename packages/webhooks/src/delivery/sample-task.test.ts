import { expect, it } from 'vitest';
import { sampleTask } from './sample-task.ts';

it('the file that a test event tells of is not over yet, as that of a real task is not', () => {
  const at = 1_767_323_045_000;
  expect(sampleTask('video.completed', at).expiresAt).toBeGreaterThanOrEqual(at + 86_400_000);
});
