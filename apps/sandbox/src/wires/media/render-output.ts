import type { MediaJob } from '../../jobs/media-job.ts';
import type { MediaArchive } from '../../media/media-archive.ts';
import type { ServedFile } from '../../http/send-file.ts';

/** The kinds of files that can be made of a job; a PNG of a film is its cover. */
export type OutputKind = 'mp4' | 'png';

/** What a file is made of; seed and index are left out where they change nothing. */
function sourceOf({ prompt, seed }: MediaJob, index: number): string {
  return [prompt, ...(seed === undefined ? [] : [`seed ${seed}`]), ...(index === 0 ? [] : [`index ${index}`])].join(
    '\n',
  );
}

/**
 * Makes one of a job's files. The same job and index give the same bytes.
 * @param index which of the job's films or pictures.
 */
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
