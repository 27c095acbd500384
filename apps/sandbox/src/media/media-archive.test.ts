import { describe, expect, it } from 'vitest';
import { createMediaArchive } from './media-archive.ts';

const video = (prompt: string) => ({ prompt, seconds: 1, width: 32, height: 32 });

describe('createMediaArchive', () => {
  it('separates videos from images', () => {
    const archive = createMediaArchive(1_000_000);
    expect(archive.video(video('a')).bytes.toString('latin1', 4, 8)).toBe('ftyp');
    expect(archive.image({ prompt: 'a', width: 32, height: 32 }).bytes.toString('latin1', 1, 4)).toBe('PNG');
  });

  it('renders a cached video only once', () => {
    const archive = createMediaArchive(1_000_000);
    expect(archive.video(video('a')).bytes).toBe(archive.video(video('a')).bytes);
  });

  it('evicts the least recently used video and renders it again to the same bytes', () => {
    const archive = createMediaArchive(archiveOf('a', 'b'));
    const a = archive.video(video('a'));
    const b = archive.video(video('b'));
    archive.video(video('a'));
    archive.video(video('c'));
    expect(archive.video(video('a')).bytes).toBe(a.bytes);
    const again = archive.video(video('b'));
    expect(again.bytes).not.toBe(b.bytes);
    expect(again).toEqual(b);
  });

  it('keeps the newest video even if it alone exceeds the capacity', () => {
    const archive = createMediaArchive(1);
    expect(archive.video(video('a')).bytes).toBe(archive.video(video('a')).bytes);
  });
});

function archiveOf(...prompts: string[]): number {
  const archive = createMediaArchive(1_000_000);
  const largest = Math.max(...[...prompts, 'c'].map((prompt) => archive.video(video(prompt)).bytes.length));
  return largest * prompts.length;
}
