import { describe, expect, it } from 'vitest';
import { parseInput } from '../json/parse-input.ts';
import { refusal } from '../../test/refusals.ts';
import { CameraControlSchema, DynamicMasksSchema } from './controls.ts';

describe('camera_control', () => {
  it.each([
    { type: 'down_back' },
    { type: 'simple', config: { zoom: -10 } },
    { type: 'simple', config: { horizontal: 0, vertical: 0, pan: 2.5, tilt: 0, roll: 0, zoom: 0 } },
  ])('accepts %j', (control) => {
    expect(parseInput(CameraControlSchema, control)).toEqual(control);
  });

  it.each([
    ['pan', undefined],
    [{}, 'type'],
    [{ type: 'spin' }, 'type'],
    [{ type: 'simple' }, 'config'],
    [{ type: 'simple', config: {} }, 'config'],
    [{ type: 'simple', config: { pan: 0 } }, 'config'],
    [{ type: 'simple', config: { pan: 1, tilt: 1 } }, 'config'],
    [{ type: 'simple', config: { pan: 11 } }, 'config[pan]'],
    [{ type: 'simple', config: { pan: '1' } }, 'config[pan]'],
    [{ type: 'simple', config: { spin: 1 } }, 'config'],
    [{ type: 'forward_up', config: { pan: 1 } }, 'config'],
  ])('rejects %j', (control, param) => {
    expect(() => parseInput(CameraControlSchema, control)).toThrow(refusal(param));
  });
});

describe('dynamic_masks', () => {
  const mask = { mask: 'https://pics.test/mask.png', trajectories: [{ x: 1, y: 2 }] };

  it('accepts up to six', () => {
    expect(
      parseInput(
        DynamicMasksSchema,
        Array.from({ length: 6 }, () => mask),
      ),
    ).toHaveLength(6);
    expect(() =>
      parseInput(
        DynamicMasksSchema,
        Array.from({ length: 7 }, () => mask),
      ),
    ).toThrow(refusal(undefined));
  });

  it.each([
    [{}, undefined],
    [[5], '0'],
    [[{ ...mask, mask: 5 }], '0[mask]'],
    [[{ mask: 'x' }], '0[trajectories]'],
    [[{ ...mask, trajectories: [5] }], '0[trajectories][0]'],
    [[{ ...mask, trajectories: [{ x: 1 }] }], '0[trajectories][0][y]'],
  ])('rejects %j', (masks, param) => {
    expect(() => parseInput(DynamicMasksSchema, masks)).toThrow(refusal(param));
  });
});
