import { createHash } from 'node:crypto';
import { type Film, renderVideo } from './render-video.ts';

/** A rendered film. */
interface RenderedFilm {
  bytes: Buffer;
  /** SHA-256 of the bytes in hexadecimal. */
  sha256: string;
}

/** Films that were asked for lately; a film that has left can be rendered again, to the same bytes. */
export interface FilmArchive {
  /** Renders a film, unless it is at hand. */
  open(film: Film): RenderedFilm;
}

/**
 * Makes an empty archive.
 * @param capacityBytes how much it may hold; the films used longest ago leave first, the newest always stays.
 */
export function createFilmArchive(capacityBytes: number): FilmArchive {
  const films = new Map<string, RenderedFilm>();
  let held = 0;

  function makeRoom(): void {
    for (const [key, { bytes }] of films) {
      if (held <= capacityBytes || films.size === 1) return;
      films.delete(key);
      held -= bytes.length;
    }
  }

  return {
    open(film) {
      const key = JSON.stringify([film.prompt, film.seconds, film.width, film.height]);
      const known = films.get(key);
      if (known !== undefined) {
        // A Map keeps the order of insertion: last in is last used.
        films.delete(key);
        films.set(key, known);
        return known;
      }
      const bytes = renderVideo(film);
      const rendered = { bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
      films.set(key, rendered);
      held += bytes.length;
      makeRoom();
      return rendered;
    },
  };
}
