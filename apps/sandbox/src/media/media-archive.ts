import { createHash } from 'node:crypto';
import { type ImageSpec, renderImage } from './image/render-image.ts';
import { type VideoSpec, renderVideo } from './video/render-video.ts';

interface RenderedFile {
  bytes: Buffer;
  sha256: string;
}

/** Recent outputs. An evicted output renders to the same bytes again. */
export interface MediaArchive {
  video(video: VideoSpec): RenderedFile;
  image(image: ImageSpec): RenderedFile;
}

/** Evicts the least recently used output, never the newest. */
export function createMediaArchive(capacityBytes: number): MediaArchive {
  const files = new Map<string, RenderedFile>();
  let held = 0;

  function makeRoom(): void {
    for (const [key, { bytes }] of files) {
      if (held <= capacityBytes || files.size === 1) return;
      files.delete(key);
      held -= bytes.length;
    }
  }

  function open(key: string, render: () => Buffer): RenderedFile {
    const known = files.get(key);
    if (known !== undefined) {
      // A Map keeps insertion order: the last entry is the most recently used.
      files.delete(key);
      files.set(key, known);
      return known;
    }
    const bytes = render();
    const rendered = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
    files.set(key, rendered);
    held += bytes.length;
    makeRoom();
    return rendered;
  }

  return {
    video: (video) =>
      open(JSON.stringify(['film', video.prompt, video.seconds, video.width, video.height]), () => renderVideo(video)),
    image: (image) =>
      open(JSON.stringify(['picture', image.prompt, image.width, image.height]), () => renderImage(image)),
  };
}
