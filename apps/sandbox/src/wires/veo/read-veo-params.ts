import { z } from 'zod';
import type { JobInput } from '../../jobs/media-job.ts';
import { names } from '../../schema/names.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { generativeError, invalidArgument } from '../google-style/google-error.ts';
import { readMessage } from '../google-style/proto-message.ts';
import { type Frame, frameOfShortSide, shapeOf, WIDE } from '../media/frame-of-area.ts';
import type { MediaParams } from '../media/media-params.ts';
import { type VeoFamily, veoFamilyOf } from './veo-families.ts';
import { readVeoImage, unsupported, wrongType } from './veo-image.ts';

const Fields = z.record(z.string(), z.unknown());
type Fields = z.output<typeof Fields>;

const INSTANCE = new Set(['prompt', 'image', 'lastFrame', 'referenceImages', 'video']);
const PARAMETERS: ReadonlySet<string> = new Set(
  names('aspectRatio durationSeconds enhancePrompt negativePrompt personGeneration resolution sampleCount seed'),
);
/** Google's docs: "Text input: 1,024 tokens". */
const MAX_TOKENS = 1024;
const MAX_REFERENCES = 3;
const LINES = new Map([
  ['720p', 720],
  ['1080p', 1080],
  ['4k', 2160],
]);
/** Requests with frames, references, or a higher resolution must have the maximum duration. */
const MAX_LENGTH = 8;

function rejectUnknown(fields: Fields, known: ReadonlySet<string>): Fields {
  const present = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  const unknown = present.find(([name]) => !known.has(name));
  if (unknown !== undefined) throw unsupported(unknown[0]);
  return Object.fromEntries(present);
}

function text(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || typeof value === 'string') return value;
  throw wrongType(name, 'string');
}

function number(fields: Fields, name: string, min: number, max: number): number | undefined {
  const value = fields[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'number' || !Number.isInteger(value)) throw wrongType(name, 'number');
  if (value >= min && value <= max) return value;
  const rule = `Please provide a value between ${min} and ${max}, inclusive.`;
  throw invalidArgument(`The number value for \`${name}\` is out of bound. ${rule}`);
}

function oneOf(fields: Fields, name: string, known: readonly string[]): string | undefined {
  const value = text(fields, name);
  if (value === undefined || known.includes(value)) return value;
  const rule = `Supported values are: ${known.join(', ')}.`;
  throw invalidArgument(`\`${value}\` isn't a supported value for \`${name}\`. ${rule}`);
}

function readReferences(value: unknown, family: VeoFamily): JobInput[] {
  if (value === undefined) return [];
  if (!family.references) throw unsupported('referenceImages');
  if (!Array.isArray(value)) throw wrongType('referenceImages', 'list');
  if (value.length > MAX_REFERENCES) throw invalidArgument(`At most ${MAX_REFERENCES} reference images are supported.`);
  return value.map((item: unknown, at) => {
    const { image, referenceType } = Fields.safeParse(item).data ?? {};
    if (referenceType !== 'asset') throw invalidArgument('`referenceType` must be `asset`.');
    return readVeoImage(`referenceImages[${at}]`, image);
  });
}

function readImages(instance: Fields, family: VeoFamily): JobInput[] {
  const { image, lastFrame, referenceImages, video } = instance;
  if (video !== undefined && !family.extends) throw unsupported('video');
  if (lastFrame !== undefined && !family.lastFrame) throw unsupported('lastFrame');
  if (lastFrame !== undefined && image === undefined) throw invalidArgument('`lastFrame` requires `image`.');
  const references = readReferences(referenceImages, family);
  if (references.length > 0 && image !== undefined) {
    throw invalidArgument('`image` and `referenceImages` cannot be used together.');
  }
  const frames = Object.entries({ image, lastFrame }).filter(([, value]) => value !== undefined);
  return [...frames.map(([field, value]) => readVeoImage(field, value)), ...references];
}

function durationOf(parameters: Fields, family: VeoFamily, bound: boolean): number {
  const seconds = number(parameters, 'durationSeconds', Math.min(...family.seconds), MAX_LENGTH) ?? MAX_LENGTH;
  const supported = bound ? [MAX_LENGTH] : family.seconds;
  if (supported.includes(seconds)) return seconds;
  const rule = `supported durations are [${supported.join(',')}]`;
  throw invalidArgument(`Unsupported output video duration ${seconds} seconds, ${rule}.`);
}

function frameOf(parameters: Fields, family: VeoFamily, seconds: number): Frame {
  const shape = shapeOf(oneOf(parameters, 'aspectRatio', ['16:9', '9:16']) ?? '16:9') ?? WIDE;
  if ('resolution' in parameters && family.resolutions.length === 0) throw unsupported('resolution');
  const resolution = oneOf(parameters, 'resolution', family.resolutions) ?? '720p';
  if (resolution !== '720p' && seconds !== MAX_LENGTH) {
    throw invalidArgument(`Resolution ${resolution} requires \`durationSeconds\` to be ${MAX_LENGTH}.`);
  }
  return frameOfShortSide(shape, LINES.get(resolution) ?? 720);
}

function promptOf(instance: Fields): string {
  const prompt = text(instance, 'prompt') ?? '';
  if (prompt.trim() === '' && instance['image'] === undefined) throw invalidArgument('`prompt` is required.');
  if (countTokens(prompt) > MAX_TOKENS) throw invalidArgument(`The prompt is longer than ${MAX_TOKENS} tokens.`);
  return prompt;
}

/** @throws WireError 400, or 404 if the model does not generate videos. */
export function readVeoParams(model: string, body: unknown): MediaParams {
  const family = veoFamilyOf(model);
  if (family === undefined) {
    const rule = 'is not found for API version v1beta, or is not supported for predictLongRunning.';
    throw generativeError(404, `models/${model} ${rule} Call ListModels to see the list of available models.`);
  }
  const top = Fields.safeParse(body).data;
  if (top === undefined) throw invalidArgument('Invalid JSON payload received. Expected an object.');
  const shape = { instances: { list: 'struct' }, parameters: 'struct', webhookConfig: 'struct' } as const;
  const request = readMessage(shape, top);
  const instances = z.array(Fields).safeParse(request['instances']).data ?? [];
  const [first] = instances;
  if (first === undefined || instances.length > 1) throw invalidArgument('Exactly one instance is expected.');
  const instance = rejectUnknown(first, INSTANCE);
  const parameters = rejectUnknown(Fields.parse(request['parameters'] ?? {}), PARAMETERS);
  const prompt = promptOf(instance);
  const inputs = readImages(instance, family);
  oneOf(parameters, 'personGeneration', ['allow_all', 'allow_adult', 'dont_allow']);
  text(parameters, 'negativePrompt');
  const bound = ['lastFrame', 'referenceImages', 'video'].some((name) => instance[name] !== undefined);
  const seconds = durationOf(parameters, family, bound);
  return {
    kind: 'video',
    model,
    prompt,
    seconds,
    ...frameOf(parameters, family, seconds),
    count: number(parameters, 'sampleCount', 1, family.samples) ?? 1,
    seed: number(parameters, 'seed', 0, 2 ** 32 - 1),
    inputs,
  };
}
