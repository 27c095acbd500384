import { z } from 'zod';
import { checkBody } from '../../schema/check-body.ts';
import { explainBody } from './dashscope-error.ts';
import { VIDEO_INPUTS, type VideoInput } from './video-input.ts';
import type { VideoModel } from './video-models.ts';

const Parameters = z.strictObject({
  prompt_extend: z.boolean().optional(),
  watermark: z.boolean().optional(),
  seed: z.int().min(0).max(2_147_483_647).optional(),
  duration: z.int().optional(),
  audio: z.boolean().optional(),
  shot_type: z.enum(['single', 'multi']).optional(),
  size: z.string().optional(),
  resolution: z.enum(['480P', '720P', '1080P']).optional(),
  ratio: z.string().optional(),
});

type Parameters = z.output<typeof Parameters>;

export interface VideoRequest {
  model: string;
  input: VideoInput;
  parameters: Parameters;
}

const COMMON = ['prompt_extend', 'watermark', 'seed', 'duration'];

/** Returns the allowed values of each field that sets the frame. A model accepts either sizes or tiers, not both. */
function frameValues({ frame }: VideoModel): Partial<Record<keyof Parameters, readonly string[]>> {
  if ('sizes' in frame) return { size: frame.sizes };
  return { resolution: frame.tiers, ...(frame.ratios.length > 0 && { ratio: frame.ratios }) };
}

function checkParameters(model: VideoModel, parameters: Parameters, context: z.RefinementCtx): void {
  const values = { ...frameValues(model), duration: model.seconds };
  const known = new Set<string>([...COMMON, ...model.own, ...Object.keys(values)]);
  const unknown = Object.keys(parameters).filter((name) => !known.has(name));
  if (unknown.length > 0) context.addIssue({ code: 'unrecognized_keys', keys: unknown });
  const valueByName = new Map<string, unknown>(Object.entries(parameters));
  for (const [name, allowed] of Object.entries<readonly unknown[]>(values)) {
    const value = valueByName.get(name);
    if (value === undefined || allowed.includes(value)) continue;
    context.addIssue({ code: 'custom', path: [name], message: `must be one of ${allowed.join(', ')}` });
  }
}

/** For wan2.7, the maximum is lower with a reference video (DashScope docs, "Wan - reference-to-video", `duration`). */
function isTooLong({ input, parameters }: VideoRequest, model: VideoModel): boolean {
  const { duration = 0 } = parameters;
  const isOfVideo = input.media?.some(({ type }) => type === 'reference_video') ?? false;
  return model.input === 'reference-media' && isOfVideo && duration > 10;
}

export function readVideoRequest(model: VideoModel, body: unknown): VideoRequest {
  const schema = z
    .strictObject({
      model: z.string(),
      input: VIDEO_INPUTS[model.input],
      parameters: Parameters.superRefine((parameters, context) => checkParameters(model, parameters, context)).prefault(
        {},
      ),
    })
    .refine((request) => !isTooLong(request, model), {
      path: ['parameters', 'duration'],
      error: 'must be from 2 to 10 with a reference_video',
    });
  return checkBody(schema, body, explainBody);
}
