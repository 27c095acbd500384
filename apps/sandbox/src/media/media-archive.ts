import { createHash } from 'node:crypto';
import { type ImageSpec, renderImage } from './image/render-image.ts';
import { type VideoSpec, renderVideo } from './video/render-video.ts';

/** A rendered film or picture. */
interface RenderedFile {
  bytes: Buffer;
  /** SHA-256 of the bytes in hexadecimal. */
  sha256: string;
}

/** What was asked for lately; what has left can be rendered again, to the same bytes. */
export interface MediaArchive {
  /** Renders a film, unless it is at hand. */
  video(video: VideoSpec): RenderedFile;
  /** Renders a picture, unless it is at hand. */
  image(image: ImageSpec): RenderedFile;
}

/**
 * Makes an empty archive.
 * @param capacityBytes how much it may hold; what was used longest ago leaves first, the newest always stays.
 */
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
      // A Map keeps the order of insertion: last in is last used.
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
