import { describe, expect, it } from 'vitest';
import { createFilmArchive } from './film-archive.ts';

const film = (prompt: string) => ({ prompt, seconds: 1, width: 32, height: 32 });

describe('createFilmArchive', () => {
  it('renders a film once while it is at hand', () => {
    const archive = createFilmArchive(1_000_000);
    expect(archive.open(film('a')).bytes).toBe(archive.open(film('a')).bytes);
  });

  it('lets the film go that was used longest ago, and renders it again to the same bytes', () => {
    const archive = createFilmArchive(archiveOf('a', 'b'));
    const a = archive.open(film('a'));
    const b = archive.open(film('b'));
    archive.open(film('a'));
    archive.open(film('c'));
    expect(archive.open(film('a')).bytes).toBe(a.bytes);
    const again = archive.open(film('b'));
    expect(again.bytes).not.toBe(b.bytes);
    expect(again).toEqual(b);
  });

  it('keeps the newest film even when that alone is over the capacity', () => {
    const archive = createFilmArchive(1);
    expect(archive.open(film('a')).bytes).toBe(archive.open(film('a')).bytes);
  });
});

/** Room for these films and a little more. */
function archiveOf(...prompts: string[]): number {
  const archive = createFilmArchive(1_000_000);
  const largest = Math.max(...[...prompts, 'c'].map((prompt) => archive.open(film(prompt)).bytes.length));
  return largest * prompts.length;
}
