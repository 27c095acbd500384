import { describe, expect, it } from 'vitest';
import { testJob, testVendor } from '../../../test/media-rig.ts';
import { measureImage } from '../../media/image/measure-image.ts';
import { renderOutput } from './render-output.ts';

const { archive } = testVendor();

describe('renderOutput', () => {
  it('renders a video, and an image of the same size', () => {
    const video = renderOutput(archive, testJob(), 0, 'mp4');
    expect([video.mediaType, video.bytes.toString('latin1', 4, 8)]).toEqual(['video/mp4', 'ftyp']);
    const cover = renderOutput(archive, testJob(), 0, 'png');
    expect(cover.mediaType).toBe('image/png');
    expect(measureImage(cover.bytes)).toMatchObject({ width: 32, height: 32 });
  });

  it('depends only on the index, seed, and prompt', () => {
    const jobs = [testJob(), testJob({ seed: 7 }), testJob({ prompt: 'boat' })];
    const files = [
      ...jobs.map((job) => renderOutput(archive, job, 0, 'png')),
      renderOutput(archive, testJob(), 1, 'png'),
    ];
    expect(new Set(files.map(({ etag }) => etag)).size).toBe(4);
    expect(renderOutput(archive, testJob({ id: 'job-2', task: 'other' }), 0, 'png').etag).toBe(files[0]?.etag);
  });
});
