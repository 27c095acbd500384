import { createHash } from 'node:crypto';
import { encodeDeltaFrame, encodeKeyFrame } from '../h264/encode-frame.ts';
import { frameSize } from '../h264/frame-size.ts';
import { pictureParameterSet, sequenceParameterSet } from '../h264/parameter-sets.ts';
import { muxMp4 } from '../mp4/mux-mp4.ts';
import { composeScene } from './scene.ts';

const FRAMES_PER_SECOND = 24;
/** The image changes in every fourth frame. The other frames take about a dozen bytes each. */
const FRAMES_PER_STEP = 4;

export interface VideoSpec {
  prompt: string;
  seconds: number;
  width: number;
  height: number;
}

/** Renders a playable MP4 (H.264, Constrained Baseline). The bytes depend only on these fields. */
export function renderVideo({ prompt, seconds, width, height }: VideoSpec): Buffer {
  const size = frameSize(width, height);
  const count = Math.max(1, Math.round(seconds * FRAMES_PER_SECOND));
  const seed = createHash('sha256').update(prompt).digest();
  const scene = composeScene(size, seed, Math.ceil(count / FRAMES_PER_STEP));
  const frames = [encodeKeyFrame(size, (block, samples) => scene.paint(0, block, samples))];
  for (let frame = 1; frame < count; frame += 1) {
    const step = frame / FRAMES_PER_STEP;
    const changed = Number.isInteger(step) ? scene.changes(step) : [];
    frames.push(encodeDeltaFrame(size, frame, changed, (block, samples) => scene.paint(step, block, samples)));
  }
  return muxMp4({
    width,
    height,
    framesPerSecond: FRAMES_PER_SECOND,
    sequence: sequenceParameterSet(size, FRAMES_PER_SECOND),
    image: pictureParameterSet(),
    frames,
  });
}
