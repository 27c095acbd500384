import { describe, expect, it } from 'vitest';
import { createMediaArchive } from './media-archive.ts';

const film = (prompt: string) => ({ prompt, seconds: 1, width: 32, height: 32 });

describe('createMediaArchive', () => {
  it('tells a film from a picture', () => {
    const archive = createMediaArchive(1_000_000);
    expect(archive.film(film('a')).bytes.toString('latin1', 4, 8)).toBe('ftyp');
    expect(archive.picture({ prompt: 'a', width: 32, height: 32 }).bytes.toString('latin1', 1, 4)).toBe('PNG');
  });

  it('renders a film once while it is at hand', () => {
    const archive = createMediaArchive(1_000_000);
    expect(archive.film(film('a')).bytes).toBe(archive.film(film('a')).bytes);
  });

  it('lets the film go that was used longest ago, and renders it again to the same bytes', () => {
    const archive = createMediaArchive(archiveOf('a', 'b'));
    const a = archive.film(film('a'));
    const b = archive.film(film('b'));
    archive.film(film('a'));
    archive.film(film('c'));
    expect(archive.film(film('a')).bytes).toBe(a.bytes);
    const again = archive.film(film('b'));
    expect(again.bytes).not.toBe(b.bytes);
    expect(again).toEqual(b);
  });

  it('keeps the newest film even when that alone is over the capacity', () => {
    const archive = createMediaArchive(1);
    expect(archive.film(film('a')).bytes).toBe(archive.film(film('a')).bytes);
  });
});

/** Room for these films and a little more. */
function archiveOf(...prompts: string[]): number {
  const archive = createMediaArchive(1_000_000);
  const largest = Math.max(...[...prompts, 'c'].map((prompt) => archive.film(film(prompt)).bytes.length));
  return largest * prompts.length;
}
