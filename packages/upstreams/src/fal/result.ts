import { type JobOutput, type MediaKind, type PollOutcome, UPSTREAM_MESSAGES } from '@sluice/canonical';
import { urlsIn, videoAmong } from '../media/urls-in.ts';
import type { FalResult } from './wire.ts';

const OTHER_FIELDS = /input|prompt|log|thumbnail|poster|preview|cover|mask|audio/i;
const OF_OTHER_KIND = { video: /image/i, image: /video/i } as const;

export function readFalResult(kind: MediaKind, result: NonNullable<FalResult>): PollOutcome {
  const { has_nsfw_concepts: filtered, seed } = result;
  const outputs = filesOf(kind, result).flatMap((file, at): JobOutput[] => {
    // If content is unsafe, the safety checker returns a black image and a flag.
    const message = UPSTREAM_MESSAGES.outputBlocked;
    if (kind === 'image' && filtered?.[at] === true) return [{ error: { code: 'content_policy', message } }];
    return file?.url === undefined ? [] : [{ url: file.url }];
  });
  const [first] = outputs;
  if (!first) return { kind: 'failed', code: 'provider_error', message: UPSTREAM_MESSAGES.noContent };
  if (first.error && outputs.every(({ error }) => error)) return { kind: 'failed', ...first.error };
  return { kind: 'succeeded', outputs, seed: Number.isSafeInteger(seed) ? seed : undefined };
}

/** Returns the files of the first known field with a URL or, without one, every URL. A video task has one file. */
function filesOf(
  kind: MediaKind,
  result: NonNullable<FalResult>,
): readonly ({ url?: string | undefined } | undefined)[] {
  const { video, videos, image, images, output, outputs } = result;
  const knownFields = kind === 'video' ? [video, videos, output, outputs] : [images, image, output, outputs];
  const filled = knownFields.find((files) => files?.some((file) => file?.url !== undefined));
  if (filled) return kind === 'video' ? filled.filter((file) => file?.url !== undefined).slice(0, 1) : filled;

  const others = Object.entries(result).filter(([name]) => !OTHER_FIELDS.test(name) && !OF_OTHER_KIND[kind].test(name));
  const urls = urlsIn(Object.fromEntries(others));
  if (urls.length === 0) return knownFields.find((files) => files !== undefined && files.length > 0) ?? [];
  const videoFile = kind === 'video' ? videoAmong(urls) : undefined;
  return (videoFile === undefined ? urls : [videoFile]).map((url) => ({ url }));
}
