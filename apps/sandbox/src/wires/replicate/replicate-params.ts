import { z } from 'zod';
import { checkBody } from '../../schema/check-body.ts';
import { describeReference } from '../media/describe-input.ts';
import { frameOfArea, shapeOf, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { invalidInput, replicateError } from './replicate-error.ts';
import { modelNamed, modelOfVersion, type ReplicateModel } from './replicate-models.ts';

/** Small, so that tests can download the videos quickly. */
const PIXELS = 320 * 176;
const DEFAULT_SECONDS = 5;

const Body = z.looseObject({
  input: z.record(z.string(), z.unknown()),
  version: z.string().optional(),
  webhook: z.url({ protocol: /^https$/ }).optional(),
  webhook_events_filter: z.array(z.enum(['start', 'output', 'logs', 'completed'])).optional(),
});

/**
 * @param name the model in the path. If undefined, the body must have a version.
 * @throws WireError if Replicate or the model rejects the body.
 */
export function readPrediction(body: unknown, name: string | undefined): MediaParams {
  const read = checkBody(Body, body, ({ kind, field }) => {
    const problem = kind === 'missing' ? 'required' : 'invalid';
    return replicateError(422, 'Input validation failed', `- ${field || 'body'}: ${problem}\n`);
  });
  if (name === undefined && read.version === undefined) {
    throw replicateError(422, 'Input validation failed', '- version is required\n');
  }
  const model = name === undefined ? modelOfVersion(read.version ?? '') : modelNamed(name);
  return paramsFor(model, read.input);
}

function paramsFor(model: ReplicateModel, fields: Record<string, unknown>): MediaParams {
  const input = checkBody(model.input, fields, ({ kind, field, message }) =>
    invalidInput(kind === 'missing' ? `: ${field} is required` : `.${field}: ${message}`),
  );
  const frame = frameOfArea(shapeOf(input.aspect_ratio ?? '') ?? WIDE, PIXELS);
  const { image, seed } = input;
  return {
    kind: model.kind,
    model: model.name,
    prompt: input.prompt,
    seconds: model.kind === 'video' ? (input.duration ?? DEFAULT_SECONDS) : 0,
    ...frame,
    count: input.num_outputs ?? 1,
    seed: seed ?? undefined,
    path: model.version,
    // Replicate returns the input. Images are measured but not stored.
    requestFields: Object.fromEntries(Object.entries(fields).filter(([field]) => field !== 'image')),
    inputs: image === undefined ? [] : [describeReference('image', image)],
  };
}
