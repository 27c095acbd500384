import type { MediaJob } from '../../jobs/media-job.ts';
import type { MediaArchive } from '../../media/media-archive.ts';
import type { ServedFile } from '../../http/send-file.ts';

export type OutputKind = 'mp4' | 'png';

export function outputKind({ kind }: MediaJob): OutputKind {
  return kind === 'video' ? 'mp4' : 'png';
}

/** Omits an undefined seed and index 0, so that they do not change the output. */
function sourceOf({ prompt, seed }: MediaJob, index: number): string {
  const lines = [prompt, seed === undefined ? undefined : `seed ${seed}`, index === 0 ? undefined : `index ${index}`];
  return lines.filter((line) => line !== undefined).join('\n');
}

/** The output is deterministic for a job and an index. The PNG of a video is its cover. */
export function renderOutput(archive: MediaArchive, job: MediaJob, index: number, kind: OutputKind): ServedFile {
  const { seconds, width, height } = job;
  const prompt = sourceOf(job, index);
  const image = { prompt, width, height };
  const { bytes, sha256 } = kind === 'png' ? archive.image(image) : archive.video({ ...image, seconds });
  return { bytes, mediaType: kind === 'png' ? 'image/png' : 'video/mp4', etag: sha256 };
}
