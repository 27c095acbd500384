import type { MediaJob } from '../../jobs/media-job.ts';
import type { MediaArchive } from '../../media/media-archive.ts';
import type { ServedFile } from '../../http/send-file.ts';

export type OutputKind = 'mp4' | 'png';

export function outputKind({ kind }: MediaJob): OutputKind {
  return kind === 'video' ? 'mp4' : 'png';
}

/** Seed and index are omitted where they change nothing. */
function sourceOf({ prompt, seed }: MediaJob, index: number): string {
  return [prompt, ...(seed === undefined ? [] : [`seed ${seed}`]), ...(index === 0 ? [] : [`index ${index}`])].join(
    '\n',
  );
}

/** Deterministic per job and index. A PNG of a video is its cover. */
export function renderOutput(archive: MediaArchive, job: MediaJob, index: number, kind: OutputKind): ServedFile {
  const { seconds, width, height } = job;
  const prompt = sourceOf(job, index);
  if (kind === 'png') {
    const { bytes, sha256 } = archive.image({ prompt, width, height });
    return { bytes, mediaType: 'image/png', etag: sha256 };
  }
  const { bytes, sha256 } = archive.video({ prompt, seconds, width, height });
  return { bytes, mediaType: 'video/mp4', etag: sha256 };
}
