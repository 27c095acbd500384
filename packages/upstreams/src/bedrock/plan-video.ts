import type { MediaLossReport, Review, VideoRequest } from '@sluice/canonical';
import { bedrockVideo, SHOT_SECONDS } from '@sluice/vendors';
import { limitText } from '../media/plan/limit-params.ts';
import { defined, planFrame, planVideo } from '../media/plan/plan.ts';
import { limitedSeed } from './seed.ts';

export type BedrockVideoPlan = Review &
  (
    | {
        format: 'nova-reel';
        isLong: boolean;
        text: string | undefined;
        config: { durationSeconds: number; fps: number; dimension?: string; seed?: number };
      }
    | { format: 'luma-ray'; input: { prompt?: string; duration?: string; aspect_ratio?: string; resolution?: string } }
  );

/** @throws {UnsupportedParamsError} */
export function planBedrockVideo(name: string, request: VideoRequest, report: MediaLossReport): BedrockVideoPlan {
  const model = bedrockVideo(name);
  const plan = planVideo(model, request, report);
  const { prompt, seconds, duration = SHOT_SECONDS, fields } = plan;
  const { frame, aspectRatio: aspect_ratio, resolution } = planFrame(plan, request, report);
  if (model.format === 'luma-ray') {
    const input = defined({ prompt, duration: `${duration}s`, aspect_ratio, resolution });
    return { format: 'luma-ray', seconds, input };
  }
  const isLong = duration > SHOT_SECONDS;
  if (!isLong) limitText('prompt', prompt, model.maxShotPrompt ?? model.maxPrompt);
  const dimension = frame ?? model.frames?.[0];
  const config = { durationSeconds: duration, fps: 24, dimension, seed: limitedSeed(fields.seed, report) };
  return { format: 'nova-reel', seconds, isLong, text: prompt, config: defined(config) };
}
