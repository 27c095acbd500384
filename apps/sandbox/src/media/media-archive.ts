import { hexFrom } from '../jobs/job-id.ts';
import { type ImageSpec, renderImage } from './image/render-image.ts';
import { type VideoSpec, renderVideo } from './video/render-video.ts';

interface RenderedFile {
  bytes: Buffer;
  sha256: string;
}

/** Stores recent outputs and evicts the least recently used. An evicted output renders to the same bytes again. */
export function createMediaArchive(capacityBytes: number) {
  const files = new Map<string, RenderedFile>();
  let storedBytes = 0;

  function evict(): void {
    for (const [key, { bytes }] of files) {
      if (storedBytes <= capacityBytes || files.size === 1) return;
      files.delete(key);
      storedBytes -= bytes.length;
    }
  }

  function open(key: string, render: () => Buffer): RenderedFile {
    const known = files.get(key);
    if (known !== undefined) {
      // A Map keeps insertion order, so the last entry is the most recently used one.
      files.delete(key);
      files.set(key, known);
      return known;
    }
    const bytes = render();
    const rendered = { bytes, sha256: hexFrom(bytes) };
    files.set(key, rendered);
    storedBytes += bytes.length;
    evict();
    return rendered;
  }

  return {
    video: (video: VideoSpec) =>
      open(JSON.stringify(['video', video.prompt, video.seconds, video.width, video.height]), () => renderVideo(video)),
    image: (image: ImageSpec) =>
      open(JSON.stringify(['image', image.prompt, image.width, image.height]), () => renderImage(image)),
  };
}

export type MediaArchive = ReturnType<typeof createMediaArchive>;
