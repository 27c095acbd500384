import { expect, it } from 'vitest';
import { processLinesLevel } from './process-lines-level.ts';

it('processLinesLevel is lower under a supervisor that prints a banner', () => {
  expect(processLinesLevel({})).toBe('info');
  expect(processLinesLevel({ SLUICE_SUPERVISED: '1' })).toBe('debug');
});
